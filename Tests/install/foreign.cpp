// A foreign project's first C++ program: builds against the installed copy by find_package or pkg-config alone.
#include <cstdio>
#include <unisono.hpp>

int main() {
  if (!unisono::is_compatible()) return 1;
  auto context = unisono::Context::create();
  if (!context) return 2;
  auto session = unisono::Session::host(*context);
  if (!session) return 3;
  const auto invite = session->invite();
  if (!invite) return 4;
  std::printf("unisono %s: %.10s...\n", unisono::version().c_str(), invite->c_str());
  return 0;
}
