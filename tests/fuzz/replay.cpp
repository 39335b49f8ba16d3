// Feeds files to a fuzz target without a fuzzer, so that a fault that was found once stays found.
//
// usage: <name>_replay FILE_OR_FOLDER...

#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

std::vector<std::filesystem::path> files_of(int count, char** names) {
  std::vector<std::filesystem::path> files;
  for (int i = 0; i < count; ++i) {
    if (!std::filesystem::is_directory(names[i])) {
      files.emplace_back(names[i]);
      continue;
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(names[i])) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
  }
  return files;
}

void replay(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  // Named before it is run, so that the last line tells which one crashed.
  std::printf("%s (%zu bytes)\n", file.c_str(), bytes.size());
  std::fflush(stdout);
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const auto files = files_of(argc - 1, argv + 1);
    for (const auto& file : files) replay(file);
    if (files.empty()) std::fprintf(stderr, "no input found\n");
    return files.empty() ? 1 : 0;
  } catch (const std::exception& trouble) {
    std::fprintf(stderr, "%s\n", trouble.what());
    return 1;
  }
}
