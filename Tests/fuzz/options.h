/* One input for the C API's structs: what a careless host may pass. */
#ifndef UNISONO_FUZZ_OPTIONS_H
#define UNISONO_FUZZ_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

void fuzz_options(const uint8_t *data, size_t count);

#endif
