// Answers "struct NAME" and "field STRUCT NAME" on its input with sizes and offsets, as the runtime lays them out.
using System;
using System.Reflection;
using System.Runtime.InteropServices;

static class Layout
{
    static void Main()
    {
        for (string line = Console.ReadLine(); line != null; line = Console.ReadLine())
        {
            string[] words = line.Split(' ');
            Type type = typeof(Unisono.Native).Assembly.GetType("Unisono." + words[1], true);
            if (words[0] == "struct")
            {
                Console.WriteLine("{0} {1}", line, Marshal.SizeOf(type));
                continue;
            }
            Type field = type.GetField(words[2]).FieldType;
            int size = field.IsPointer ? IntPtr.Size : Marshal.SizeOf(field.IsEnum ? Enum.GetUnderlyingType(field) : field);
            Console.WriteLine("{0} {1} {2}", line, Marshal.OffsetOf(type, words[2]), size);
        }
    }
}
