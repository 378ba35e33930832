// Nothing is called here: the linker puts what remembered.c defines in place of what it names.
