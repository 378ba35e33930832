/// A reference to an object that does not keep it: what the closures of an object hold that it hands to timers, streams and links.
///
/// Embedded Swift has no `weak`; there the object cuts its reference in its `deinit`, before anything of it is gone. That is safe as
/// the object, the closures and the reference belong to one thread, the loop's. Natively it is `weak`, and `cut` changes nothing.
final class WeakReference<Object: AnyObject> {
  #if hasFeature(Embedded)
    private unowned(unsafe) var target: Object?
  #else
    private weak var target: Object?
  #endif

  init() {}

  /// nil: not pointed anywhere yet, or the object is gone.
  var object: Object? { target }

  /// Once, at the end of the object's `init`.
  func point(to object: Object) { target = object }

  /// For the object's `deinit`.
  func cut() { target = nil }
}
