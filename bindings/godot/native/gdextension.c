/* gdextension.c: the class "Group" for Godot 4.2 and newer, against the engine's own header (GODOT_HEADERS: a folder with
 * gdextension_interface.h; `godot --dump-gdextension-interface` writes it). */
#include <gdextension_interface.h>
#include <stdlib.h>
#include <string.h>

#include "group_node.h"

/* Room for Godot's own types, which are smaller than this in every build of it. */
typedef union room {
  uint8_t bytes[40];
  int64_t integer;
  double real;
  uint8_t truth;
  void *pointer;
} room;

enum { KINDS = VALUE_BYTES + 1 };

static const GDExtensionVariantType types[KINDS] = {
    GDEXTENSION_VARIANT_TYPE_NIL,   GDEXTENSION_VARIANT_TYPE_BOOL,   GDEXTENSION_VARIANT_TYPE_INT,
    GDEXTENSION_VARIANT_TYPE_FLOAT, GDEXTENSION_VARIANT_TYPE_STRING, GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY};

static GDExtensionClassLibraryPtr library;
static GDExtensionInterfaceStringNameNewWithUtf8Chars new_name;
static GDExtensionInterfaceStringNewWithUtf8Chars new_string;
static GDExtensionInterfaceStringToUtf8Chars string_to_utf8;
static GDExtensionInterfacePackedByteArrayOperatorIndex bytes_at;
static GDExtensionInterfacePackedByteArrayOperatorIndexConst const_bytes_at;
static GDExtensionInterfaceVariantDestroy destroy_variant;
static GDExtensionInterfaceVariantNewNil new_nil;
static GDExtensionInterfaceVariantCall call_variant;
static GDExtensionInterfaceClassdbConstructObject construct_object;
static GDExtensionInterfaceObjectSetInstance set_instance;
static GDExtensionInterfaceClassdbRegisterExtensionClass2 register_class;
static GDExtensionInterfaceClassdbUnregisterExtensionClass unregister_class;
static GDExtensionInterfaceClassdbRegisterExtensionClassMethod register_method;
static GDExtensionInterfaceClassdbRegisterExtensionClassSignal register_signal;
static GDExtensionInterfaceGetVariantFromTypeConstructor variant_maker;
static GDExtensionInterfaceGetVariantToTypeConstructor type_maker;
static GDExtensionInterfaceVariantGetPtrDestructor destructor;
static GDExtensionInterfaceVariantGetPtrConstructor constructor;
static GDExtensionInterfaceVariantGetPtrBuiltinMethod builtin;
static GDExtensionVariantFromTypeConstructorFunc to_variant[KINDS], object_to_variant;
static GDExtensionTypeFromVariantConstructorFunc from_variant[KINDS];
static GDExtensionPtrDestructor destroy_name, destroy_string, destroy_bytes;
static GDExtensionPtrConstructor new_bytes;
static GDExtensionPtrBuiltInMethod resize_bytes, size_of_bytes;
static room emit_signal_name;

/* ---- Values ---------------------------------------------------------------------------------------------------------------- */

/* Makes one of Godot's own type where nothing is yet. */
static void make_typed(const value *v, void *to) {
  if (v->kind == VALUE_BOOL) *(uint8_t *)to = v->integer != 0;
  if (v->kind == VALUE_INT) *(int64_t *)to = v->integer;
  if (v->kind == VALUE_REAL) *(double *)to = v->real;
  if (v->kind == VALUE_TEXT) new_string(to, v->text);
  if (v->kind == VALUE_BYTES) {
    const int64_t length = (int64_t)v->length;
    int64_t result;
    new_bytes(to, NULL);
    resize_bytes(to, (const GDExtensionConstTypePtr[]){&length}, &result, 1);
    if (length > 0) memcpy(bytes_at(to, 0), v->text, v->length);
  }
}

static void end_typed(value_kind kind, void *typed) {
  if (kind == VALUE_TEXT) destroy_string(typed);
  if (kind == VALUE_BYTES) destroy_bytes(typed);
}

static void make_variant(const value *v, void *to) {
  room typed;
  if (v->kind == VALUE_NONE) {
    new_nil(to);
    return;
  }
  make_typed(v, &typed);
  to_variant[v->kind](to, &typed);
  end_typed(v->kind, &typed);
}

/* What one of Godot's own type says. text: for UTF-8, to be freed. */
static value value_of(const void *typed, value_kind kind, char **text) {
  value v = {.kind = kind};
  *text = NULL;
  if (kind == VALUE_BOOL) v.integer = *(const uint8_t *)typed != 0;
  if (kind == VALUE_INT) v.integer = *(const int64_t *)typed;
  if (kind == VALUE_REAL) v.real = *(const double *)typed;
  if (kind == VALUE_TEXT) {
    const GDExtensionInt length = string_to_utf8(typed, NULL, 0);
    *text = calloc((size_t)length + 1, 1);
    if (*text != NULL) string_to_utf8(typed, *text, length);
    v.text = *text != NULL ? *text : "";
    v.length = strlen(v.text);
  }
  if (kind == VALUE_BYTES) {
    int64_t length = 0;
    size_of_bytes((void *)typed, NULL, &length, 0);
    v.length = (size_t)length;
    v.text = length > 0 ? (const char *)const_bytes_at(typed, 0) : "";
  }
  return v;
}

/* ---- The class ------------------------------------------------------------------------------------------------------------- */

static void emit(void *engine, int signal, const value *values) {
  const int count = group_signals[signal].count;
  room self, result, made[MOST_ARGUMENTS + 1];
  GDExtensionConstVariantPtr arguments[MOST_ARGUMENTS + 1];
  const value name = {.kind = VALUE_TEXT, .text = group_signals[signal].name};
  for (int index = 0; index <= count; index++) {
    make_variant(index == 0 ? &name : &values[index - 1], &made[index]);
    arguments[index] = &made[index];
  }
  GDExtensionCallError error;
  object_to_variant(&self, &engine);
  call_variant(&self, &emit_signal_name, arguments, count + 1, &result, &error);
  destroy_variant(&result);
  destroy_variant(&self);
  for (int index = 0; index <= count; index++) destroy_variant(&made[index]);
}

static value call_typed(const group_method *method, group_node *node, const GDExtensionConstTypePtr *given) {
  value arguments[MOST_ARGUMENTS] = {0};
  char *texts[MOST_ARGUMENTS] = {NULL};
  for (int index = 0; index < method->count; index++)
    arguments[index] = value_of(given[index], method->arguments[index].kind, &texts[index]);
  const value result = method->call(node, arguments);
  for (int index = 0; index < method->count; index++) free(texts[index]);
  return result;
}

/* Called with types that the script's compiler knew. */
static void typed_call(void *data, GDExtensionClassInstancePtr node, const GDExtensionConstTypePtr *given, GDExtensionTypePtr back) {
  const group_method *method = data;
  const value result = call_typed(method, node, given);
  if (method->result == VALUE_NONE) return;
  end_typed(method->result, back);
  make_typed(&result, back);
}

/* Called with whatever the script has. */
static void variant_call(void *data, GDExtensionClassInstancePtr node, const GDExtensionConstVariantPtr *given, GDExtensionInt count,
                         GDExtensionVariantPtr back, GDExtensionCallError *error) {
  const group_method *method = data;
  error->error = GDEXTENSION_CALL_OK;
  if (count != method->count) {
    error->error = count < method->count ? GDEXTENSION_CALL_ERROR_TOO_FEW_ARGUMENTS : GDEXTENSION_CALL_ERROR_TOO_MANY_ARGUMENTS;
    error->expected = method->count;
    return;
  }
  room typed[MOST_ARGUMENTS];
  GDExtensionConstTypePtr pointers[MOST_ARGUMENTS] = {NULL};
  for (int index = 0; index < count; index++) {
    from_variant[method->arguments[index].kind](&typed[index], (GDExtensionVariantPtr)given[index]);
    pointers[index] = &typed[index];
  }
  const value result = call_typed(method, node, pointers);
  for (int index = 0; index < count; index++) end_typed(method->arguments[index].kind, &typed[index]);
  destroy_variant(back);
  make_variant(&result, back);
}

static GDExtensionObjectPtr create(void *data) {
  (void)data;
  room parent, own;
  new_name(&parent, "Node");
  new_name(&own, "Group");
  GDExtensionObjectPtr object = construct_object(&parent);
  group_node *node = group_node_new(emit, object);
  if (node != NULL) set_instance(object, &own, node);
  destroy_name(&parent);
  destroy_name(&own);
  return object;
}

static void release(void *data, GDExtensionClassInstancePtr node) {
  (void)data;
  group_node_free(node);
}

/* ---- Registering ------------------------------------------------------------------------------------------------------------ */

typedef struct described {
  room names[MOST_ARGUMENTS], empty_name, empty_string;
  GDExtensionPropertyInfo all[MOST_ARGUMENTS];
} described;

static void describe(described *d, const named_kind *arguments, int count) {
  new_name(&d->empty_name, "");
  new_string(&d->empty_string, "");
  for (int index = 0; index < count; index++) {
    new_name(&d->names[index], arguments[index].name == NULL ? "" : arguments[index].name);
    d->all[index] = (GDExtensionPropertyInfo){.type = types[arguments[index].kind], .name = &d->names[index],
                                             .class_name = &d->empty_name, .hint_string = &d->empty_string, .usage = 6};
  }
}

static void end_description(described *d, int count) {
  for (int index = 0; index < count; index++) destroy_name(&d->names[index]);
  destroy_name(&d->empty_name);
  destroy_string(&d->empty_string);
}

static void add_method(const room *own, const group_method *method) {
  described arguments, result;
  GDExtensionClassMethodArgumentMetadata plain[MOST_ARGUMENTS] = {GDEXTENSION_METHOD_ARGUMENT_METADATA_NONE};
  room name;
  new_name(&name, method->name);
  describe(&arguments, method->arguments, method->count);
  describe(&result, &(const named_kind){NULL, method->result}, 1);
  const GDExtensionClassMethodInfo info = {.name = &name,
                                           .method_userdata = (void *)method,
                                           .call_func = variant_call,
                                           .ptrcall_func = typed_call,
                                           .method_flags = GDEXTENSION_METHOD_FLAGS_DEFAULT,
                                           .has_return_value = method->result != VALUE_NONE,
                                           .return_value_info = result.all,
                                           .argument_count = (uint32_t)method->count,
                                           .arguments_info = arguments.all,
                                           .arguments_metadata = plain};
  register_method(library, own, &info);
  end_description(&arguments, method->count);
  end_description(&result, 1);
  destroy_name(&name);
}

static void add_signal(const room *own, const group_signal *signal) {
  described arguments;
  room name;
  new_name(&name, signal->name);
  describe(&arguments, signal->arguments, signal->count);
  register_signal(library, own, &name, arguments.all, signal->count);
  end_description(&arguments, signal->count);
  destroy_name(&name);
}

static void initialize(void *data, GDExtensionInitializationLevel level) {
  (void)data;
  if (level != GDEXTENSION_INITIALIZATION_SCENE) return;
  room own, parent;
  new_name(&own, "Group");
  new_name(&parent, "Node");
  new_name(&emit_signal_name, "emit_signal");
  const GDExtensionClassCreationInfo2 info = {.is_exposed = 1, .create_instance_func = create, .free_instance_func = release};
  register_class(library, &own, &parent, &info);
  for (int index = 0; index < group_method_count; index++) add_method(&own, &group_methods[index]);
  for (int index = 0; index < group_signal_count; index++) add_signal(&own, &group_signals[index]);
  destroy_name(&own);
  destroy_name(&parent);
}

static void deinitialize(void *data, GDExtensionInitializationLevel level) {
  (void)data;
  if (level != GDEXTENSION_INITIALIZATION_SCENE) return;
  room own;
  new_name(&own, "Group");
  unregister_class(library, &own);
  destroy_name(&own);
  destroy_name(&emit_signal_name);
}

/* Hashes of the builtin methods' signatures, as extension_api.json of every Godot 4 has them. */
enum { RESIZE_HASH = 848867239 };
static const GDExtensionInt size_hash = 3173160232;

GDExtensionBool unisono_gdextension_init(GDExtensionInterfaceGetProcAddress get, GDExtensionClassLibraryPtr own,
                                         GDExtensionInitialization *initialization) {
  const struct { void *function; const char *name; } wanted[] = {
      {&new_name, "string_name_new_with_utf8_chars"},
      {&new_string, "string_new_with_utf8_chars"},
      {&string_to_utf8, "string_to_utf8_chars"},
      {&bytes_at, "packed_byte_array_operator_index"},
      {&const_bytes_at, "packed_byte_array_operator_index_const"},
      {&destroy_variant, "variant_destroy"},
      {&new_nil, "variant_new_nil"},
      {&call_variant, "variant_call"},
      {&construct_object, "classdb_construct_object"},
      {&set_instance, "object_set_instance"},
      {&register_class, "classdb_register_extension_class2"},
      {&unregister_class, "classdb_unregister_extension_class"},
      {&register_method, "classdb_register_extension_class_method"},
      {&register_signal, "classdb_register_extension_class_signal"},
      {&variant_maker, "get_variant_from_type_constructor"},
      {&type_maker, "get_variant_to_type_constructor"},
      {&destructor, "variant_get_ptr_destructor"},
      {&constructor, "variant_get_ptr_constructor"},
      {&builtin, "variant_get_ptr_builtin_method"},
  };
  library = own;
  for (size_t index = 0; index < sizeof wanted / sizeof *wanted; index++) {
    const GDExtensionInterfaceFunctionPtr found = get(wanted[index].name);
    if (found == NULL) return 0; /* an engine older than 4.2 */
    memcpy(wanted[index].function, &found, sizeof found);
  }
  for (int kind = VALUE_BOOL; kind < KINDS; kind++) {
    to_variant[kind] = variant_maker(types[kind]);
    from_variant[kind] = type_maker(types[kind]);
  }
  object_to_variant = variant_maker(GDEXTENSION_VARIANT_TYPE_OBJECT);
  destroy_name = destructor(GDEXTENSION_VARIANT_TYPE_STRING_NAME);
  destroy_string = destructor(GDEXTENSION_VARIANT_TYPE_STRING);
  destroy_bytes = destructor(GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY);
  new_bytes = constructor(GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY, 0);
  room name;
  new_name(&name, "resize");
  resize_bytes = builtin(GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY, &name, RESIZE_HASH);
  destroy_name(&name);
  new_name(&name, "size");
  size_of_bytes = builtin(GDEXTENSION_VARIANT_TYPE_PACKED_BYTE_ARRAY, &name, size_hash);
  destroy_name(&name);
  if (resize_bytes == NULL || size_of_bytes == NULL) return 0;
  *initialization = (GDExtensionInitialization){
      .minimum_initialization_level = GDEXTENSION_INITIALIZATION_SCENE, .initialize = initialize, .deinitialize = deinitialize};
  return 1;
}
