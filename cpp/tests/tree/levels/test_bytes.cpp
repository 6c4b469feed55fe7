#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/check.hpp"
#include "tree/levels/bytes.hpp"

using boxwood::ByteReader;
using boxwood::ByteWriter;

CASE("what is written is read again, in order", {
    ByteWriter out;
    out << std::uint32_t{7} << std::vector<double>{0.5, -1.0} << std::vector<char>{} << true;
    const std::string bytes = out.take();
    ByteReader in({bytes.data(), bytes.size()});
    std::uint32_t number = 0;
    std::vector<double> values = {3.0};
    std::vector<char> none = {'x'};
    bool flag = false;
    in >> number >> values >> none >> flag;
    CHECK(number == 7);
    CHECK((values == std::vector<double>{0.5, -1.0}));
    CHECK(none.empty());
    CHECK(flag);
});

CASE("bytes that end too early are refused, wherever they end", {
    ByteWriter out;
    out << std::uint32_t{7} << std::vector<double>{0.5, -1.0};
    const std::string bytes = out.take();
    for (std::size_t n = 0; n < bytes.size(); ++n) {
        bool refused = false;
        try {
            ByteReader in({bytes.data(), n});
            std::uint32_t number = 0;
            std::vector<double> values;
            in >> number >> values;
        } catch (const std::invalid_argument&) {
            refused = true;
        }
        CHECK(refused);
    }
});

CHECK_MAIN()
