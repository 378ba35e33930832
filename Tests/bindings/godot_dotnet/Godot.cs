// A stand-in for the part of Godot's .NET edition that the sample uses, so that it runs under Mono: a tree of nodes, frames, signals by name.
using System;
using System.Collections.Generic;
using System.IO;
using System.Reflection;
using System.Threading;

namespace Godot
{
    public sealed class SignalAttribute : Attribute { }

    public sealed class ExportAttribute : Attribute { }

    public enum Key { Space, Left, Right }

    public class InputEvent { }

    public sealed class InputEventKey : InputEvent
    {
        public bool Pressed;
        public Key Keycode;
    }

    public struct Vector2
    {
        public float X, Y;

        public Vector2(float x, float y) { X = x; Y = y; }

        public static Vector2 operator +(Vector2 one, Vector2 other) { return new Vector2(one.X + other.X, one.Y + other.Y); }

        public static Vector2 operator *(Vector2 one, float by) { return new Vector2(one.X * by, one.Y * by); }
    }

    public struct Color
    {
        public Color(float red, float green, float blue) { }

        public static Color FromHsv(float hue, float saturation, float value) { return new Color(hue, saturation, value); }
    }

    public struct Callable
    {
        readonly object target;
        readonly string method;

        public Callable(Node target, string method)
        {
            this.target = target;
            this.method = method;
            if (target.GetType().GetMethod(method) == null) throw new MissingMethodException(method);
        }

        internal void Call(object[] arguments) { target.GetType().GetMethod(method).Invoke(target, arguments); }
    }

    public static class GD { public static void Print(string text) { Console.WriteLine(text); } }

    public static class OS
    {
        internal static string[] Arguments;

        public static string[] GetCmdlineUserArgs() { return Arguments; }
    }

    public sealed class SceneTree
    {
        internal bool Ends;

        public void Quit() { Ends = true; }
    }

    public class Node
    {
        internal readonly List<Node> Children = new List<Node>();
        readonly Dictionary<string, List<Callable>> signals = new Dictionary<string, List<Callable>>();
        internal SceneTree Tree;

        public virtual void _EnterTree() { }

        public virtual void _Ready() { }

        public virtual void _Process(double delta) { }

        public virtual void _ExitTree() { }

        public virtual void _UnhandledKeyInput(InputEvent input) { }

        public SceneTree GetTree() { return Tree; }

        public void AddChild(Node child)
        {
            Children.Add(child);
            child.Tree = Tree;
            child._EnterTree();
            child._Ready();
        }

        void Declared(string signal, int count)
        {
            Type type = GetType().GetNestedType(signal + "EventHandler");
            if (type == null || type.GetCustomAttribute<SignalAttribute>() == null) throw new MissingMemberException(GetType().Name, signal);
            if (count >= 0 && type.GetMethod("Invoke").GetParameters().Length != count) throw new TargetParameterCountException(signal);
        }

        public void Connect(string signal, Callable to)
        {
            Declared(signal, -1);
            if (!signals.ContainsKey(signal)) signals[signal] = new List<Callable>();
            signals[signal].Add(to);
        }

        public void EmitSignal(string signal, params object[] arguments)
        {
            Declared(signal, arguments.Length);
            List<Callable> connected;
            if (signals.TryGetValue(signal, out connected)) foreach (Callable one in connected) one.Call(arguments);
        }
    }

    public class Node2D : Node
    {
        internal int Drawn;
        bool isToBeDrawn;

        public virtual void _Draw() { }

        public void QueueRedraw() { isToBeDrawn = true; }

        public void DrawCircle(Vector2 at, float radius, Color color) { if (!float.IsNaN(at.X + at.Y)) Drawn++; }

        internal void Redraw()
        {
            if (isToBeDrawn) _Draw();
            isToBeDrawn = false;
        }
    }

    public class LineEdit : Node
    {
        [Signal] public delegate void TextSubmittedEventHandler(string newText);

        public event TextSubmittedEventHandler TextSubmitted;
        public Vector2 Position, Size;
        public string Text = "";

        public void Clear() { Text = ""; }

        internal void Submit(string text)
        {
            Text = text;
            if (TextSubmitted != null) TextSubmitted(text);
        }
    }

    static class Engine
    {
        // The name of a key is that key pressed; anything else is typed into the scene's line.
        static void Typed(Orrery scene, string line)
        {
            Key key;
            if (Enum.TryParse(line, out key)) scene._UnhandledKeyInput(new InputEventKey { Pressed = true, Keycode = key });
            else foreach (Node child in scene.Children) if (child is LineEdit) ((LineEdit)child).Submit(line);
        }

        static void Process(Node node)
        {
            node._Process(0.016);
            foreach (Node child in node.Children) Process(child);
        }

        static void Main(string[] arguments)
        {
            OS.Arguments = arguments;
            Orrery scene = new Orrery { Tree = new SceneTree() };
            scene._Ready();
            TextReader input = Console.In; // opened before there are two threads: Mono's console is not safely opened by two at once
            Thread keyboard = new Thread(() =>
            {
                for (string line = input.ReadLine(); line != null; line = input.ReadLine())
                    lock (scene) Typed(scene, line);
            }) { IsBackground = true };
            keyboard.Start();
            while (!scene.Tree.Ends)
            {
                lock (scene)
                {
                    Process(scene);
                    scene.Redraw();
                }
                Thread.Sleep(16);
            }
            foreach (Node child in scene.Children) child._ExitTree();
            Console.WriteLine("drawn " + (scene.Drawn > 0));
        }
    }
}
