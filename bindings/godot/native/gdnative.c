/* gdnative.c: the class "Group" for Godot 3, against the engine's own headers (GODOT_HEADERS: a folder with gdnative_api_struct.gen.h). */
#include <gdnative_api_struct.gen.h>
#include <stdlib.h>
#include <string.h>

#include "group_node.h"

static const godot_gdnative_core_api_struct *api;
static const godot_gdnative_ext_nativescript_api_struct *scripts;
static godot_method_bind *emit_signal;

/* ---- Values ---------------------------------------------------------------------------------------------------------------- */

static godot_string string_of(const char *words) {
  godot_string made;
  api->godot_string_new(&made);
  api->godot_string_parse_utf8(&made, words);
  return made;
}

static godot_variant variant_of(const value *v) {
  godot_variant made;
  switch (v->kind) {
  case VALUE_BOOL: api->godot_variant_new_bool(&made, v->integer != 0); break;
  case VALUE_INT: api->godot_variant_new_int(&made, v->integer); break;
  case VALUE_REAL: api->godot_variant_new_real(&made, v->real); break;
  case VALUE_TEXT: {
    godot_string string = string_of(v->text);
    api->godot_variant_new_string(&made, &string);
    api->godot_string_destroy(&string);
    break;
  }
  case VALUE_BYTES: {
    godot_pool_byte_array bytes;
    api->godot_pool_byte_array_new(&bytes);
    api->godot_pool_byte_array_resize(&bytes, (godot_int)v->length);
    godot_pool_byte_array_write_access *access = api->godot_pool_byte_array_write(&bytes);
    if (v->length > 0) memcpy(api->godot_pool_byte_array_write_access_ptr(access), v->text, v->length);
    api->godot_pool_byte_array_write_access_destroy(access);
    api->godot_variant_new_pool_byte_array(&made, &bytes);
    api->godot_pool_byte_array_destroy(&bytes);
    break;
  }
  default: api->godot_variant_new_nil(&made); break;
  }
  return made;
}

static godot_int variant_type(value_kind kind) {
  switch (kind) {
  case VALUE_BOOL: return GODOT_VARIANT_TYPE_BOOL;
  case VALUE_INT: return GODOT_VARIANT_TYPE_INT;
  case VALUE_REAL: return GODOT_VARIANT_TYPE_REAL;
  case VALUE_TEXT: return GODOT_VARIANT_TYPE_STRING;
  case VALUE_BYTES: return GODOT_VARIANT_TYPE_POOL_BYTE_ARRAY;
  default: return GODOT_VARIANT_TYPE_NIL;
  }
}

/* A script's argument as the kind that is asked for, and what keeps it alive. Godot converts: a number to a text, and so on. */
typedef struct kept {
  godot_char_string text;
  godot_pool_byte_array bytes;
  godot_pool_byte_array_read_access *access;
} kept;

static value value_of(godot_variant *variant, value_kind kind, kept *keep) {
  value v = {.kind = kind};
  if (kind == VALUE_BOOL) v.integer = api->godot_variant_as_bool(variant);
  if (kind == VALUE_INT) v.integer = api->godot_variant_as_int(variant);
  if (kind == VALUE_REAL) v.real = api->godot_variant_as_real(variant);
  if (kind == VALUE_TEXT) {
    godot_string string = api->godot_variant_as_string(variant);
    keep->text = api->godot_string_utf8(&string);
    api->godot_string_destroy(&string);
    v.text = api->godot_char_string_get_data(&keep->text);
    v.length = strlen(v.text);
  }
  if (kind == VALUE_BYTES) {
    keep->bytes = api->godot_variant_as_pool_byte_array(variant);
    keep->access = api->godot_pool_byte_array_read(&keep->bytes);
    v.text = (const char *)api->godot_pool_byte_array_read_access_ptr(keep->access);
    v.length = (size_t)api->godot_pool_byte_array_size(&keep->bytes);
  }
  return v;
}

static void let_go(value_kind kind, kept *keep) {
  if (kind == VALUE_TEXT) api->godot_char_string_destroy(&keep->text);
  if (kind == VALUE_BYTES) {
    api->godot_pool_byte_array_read_access_destroy(keep->access);
    api->godot_pool_byte_array_destroy(&keep->bytes);
  }
}

/* ---- The class ------------------------------------------------------------------------------------------------------------- */

static void emit(void *engine, int signal, const value *values) {
  const int count = group_signals[signal].count;
  godot_variant made[MOST_ARGUMENTS + 1];
  const godot_variant *arguments[MOST_ARGUMENTS + 1];
  const value name = {.kind = VALUE_TEXT, .text = group_signals[signal].name};
  for (int index = 0; index <= count; index++) {
    made[index] = variant_of(index == 0 ? &name : &values[index - 1]);
    arguments[index] = &made[index];
  }
  godot_variant_call_error error;
  godot_variant result = api->godot_method_bind_call(emit_signal, engine, arguments, count + 1, &error);
  api->godot_variant_destroy(&result);
  for (int index = 0; index <= count; index++) api->godot_variant_destroy(&made[index]);
}

static GDCALLINGCONV void *create(godot_object *object, void *data) {
  (void)data;
  return group_node_new(emit, object);
}

static GDCALLINGCONV void destroy(godot_object *object, void *data, void *node) {
  (void)object, (void)data;
  group_node_free(node);
}

static GDCALLINGCONV godot_variant call(godot_object *object, void *data, void *node, int count, godot_variant **given) {
  (void)object;
  const group_method *method = data;
  const value none = {.kind = VALUE_NONE};
  if (count != method->count || node == NULL) {
    api->godot_print_error("a Group's method has other arguments, or there is no libunisono", method->name, __FILE__, __LINE__);
    return variant_of(&none);
  }
  value arguments[MOST_ARGUMENTS] = {0};
  kept keep[MOST_ARGUMENTS];
  for (int index = 0; index < count; index++) arguments[index] = value_of(given[index], method->arguments[index].kind, &keep[index]);
  const value result = method->call(node, arguments);
  godot_variant made = variant_of(&result);
  for (int index = 0; index < count; index++) let_go(method->arguments[index].kind, &keep[index]);
  return made;
}

static void register_signal(void *handle, const group_signal *one) {
  godot_signal_argument arguments[MOST_ARGUMENTS] = {0};
  godot_signal signal = {.name = string_of(one->name), .num_args = one->count, .args = arguments};
  for (int index = 0; index < one->count; index++) {
    arguments[index].name = string_of(one->arguments[index].name);
    arguments[index].hint_string = string_of("");
    arguments[index].type = variant_type(one->arguments[index].kind);
    api->godot_variant_new_nil(&arguments[index].default_value);
  }
  scripts->godot_nativescript_register_signal(handle, "Group", &signal);
  for (int index = 0; index < one->count; index++) {
    api->godot_string_destroy(&arguments[index].name);
    api->godot_string_destroy(&arguments[index].hint_string);
    api->godot_variant_destroy(&arguments[index].default_value);
  }
  api->godot_string_destroy(&signal.name);
}

void GDN_EXPORT godot_gdnative_init(godot_gdnative_init_options *options) {
  api = options->api_struct;
  for (unsigned int index = 0; index < api->num_extensions; index++)
    if (api->extensions[index]->type == GDNATIVE_EXT_NATIVESCRIPT)
      scripts = (const godot_gdnative_ext_nativescript_api_struct *)api->extensions[index];
  emit_signal = api->godot_method_bind_get_method("Object", "emit_signal");
}

void GDN_EXPORT godot_gdnative_terminate(godot_gdnative_terminate_options *options) {
  (void)options;
  api = NULL;
  scripts = NULL;
}

void GDN_EXPORT godot_nativescript_init(void *handle) {
  const godot_instance_create_func made = {.create_func = create};
  const godot_instance_destroy_func destroyed = {.destroy_func = destroy};
  scripts->godot_nativescript_register_class(handle, "Group", "Node", made, destroyed);
  for (int index = 0; index < group_method_count; index++) {
    const godot_method_attributes attributes = {GODOT_METHOD_RPC_MODE_DISABLED};
    const godot_instance_method method = {.method = call, .method_data = (void *)&group_methods[index]};
    scripts->godot_nativescript_register_method(handle, "Group", group_methods[index].name, attributes, method);
  }
  for (int index = 0; index < group_signal_count; index++) register_signal(handle, &group_signals[index]);
}
