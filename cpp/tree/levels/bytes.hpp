// Values as a row of bytes, for those that travel between processes of one machine's kind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace boxwood {

class ByteWriter {
  public:
    template <class T>
    ByteWriter& operator<<(const std::vector<T>& values) {
        static_assert(std::is_trivially_copyable_v<T>);
        append(values.size());
        bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
        return *this;
    }
    template <class T>
        requires std::is_trivially_copyable_v<T>
    ByteWriter& operator<<(const T& value) {
        append(value);
        return *this;
    }
    std::string take() { return std::move(bytes_); }

  private:
    template <class T>
    void append(const T& value) {
        bytes_.append(reinterpret_cast<const char*>(&value), sizeof(T));
    }
    std::string bytes_;
};

// Throws std::invalid_argument where the bytes end before the values do.
class ByteReader {
  public:
    explicit ByteReader(std::span<const char> bytes) : bytes_(bytes) {}

    template <class T>
    ByteReader& operator>>(std::vector<T>& values) {
        std::size_t n = 0;
        *this >> n;
        if (n > bytes_.size() / sizeof(T)) throw std::invalid_argument("the bytes end too early");
        values.resize(n);
        if (n > 0) std::memcpy(values.data(), take(n * sizeof(T)), n * sizeof(T));
        return *this;
    }
    template <class T>
        requires std::is_trivially_copyable_v<T>
    ByteReader& operator>>(T& value) {
        std::memcpy(&value, take(sizeof(T)), sizeof(T));
        return *this;
    }

  private:
    const char* take(std::size_t n) {
        if (n > bytes_.size()) throw std::invalid_argument("the bytes end too early");
        const char* first = bytes_.data();
        bytes_ = bytes_.subspan(n);
        return first;
    }
    std::span<const char> bytes_;
};

}  // namespace boxwood
