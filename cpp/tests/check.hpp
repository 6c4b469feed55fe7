// The smallest test harness that says what failed and where; ctest runs one program a file.
#pragma once

#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace check {

inline int failures = 0;

inline std::vector<std::pair<std::string, std::function<void()>>>& cases() {
    static std::vector<std::pair<std::string, std::function<void()>>> all;
    return all;
}

struct Case {
    Case(std::string name, std::function<void()> body) {
        cases().emplace_back(std::move(name), std::move(body));
    }
};

inline void fail(const char* file, int line, const char* what) {
    ++failures;
    std::printf("%s:%d: not true: %s\n", file, line, what);
}

inline int run() {
    for (const auto& [name, body] : cases()) {
        std::printf("- %s\n", name.c_str());
        try {
            body();
        } catch (const std::exception& error) {
            ++failures;
            std::printf("  unexpected exception: %s\n", error.what());
        }
    }
    const int total = static_cast<int>(cases().size());
    std::printf("%d cases, %d failed checks\n", total, failures);
    return failures == 0 && total > 0 ? 0 : 1;
}

}  // namespace check

#define CHECK(condition) ((condition) ? void() : check::fail(__FILE__, __LINE__, #condition))
#define CASE_CONCAT(a, b) a##b
#define CASE_NAME(a, b) CASE_CONCAT(a, b)
#define CASE(name, ...) static const check::Case CASE_NAME(case_, __LINE__)(name, []() __VA_ARGS__)
#define CHECK_MAIN() \
    int main() { return check::run(); }
