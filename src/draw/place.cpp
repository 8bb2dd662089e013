#include "draw/place.hpp"

#include <algorithm>
#include <cmath>

namespace pawl::draw {

namespace {

constexpr int sweeps = 8;
// A bend in a long arrow disturbs more than a box that stands off its centre.
constexpr double passing_weight = 4;

class Placer {
public:
    Placer(const Layered& layered, const Room& room)
        : layered_(layered),
          room_(room),
          x_(layered.cells.size()),
          above_(layered.cells.size()),
          below_(layered.cells.size()) {
        for (std::size_t i = 0; i < layered_.pieces.size(); ++i) {
            below_[layered_.pieces[i].upper].push_back(i);
            above_[layered_.pieces[i].lower].push_back(i);
        }
    }

    std::vector<int> run() {
        const std::size_t count = layered_.layers.size();
        for (const auto& layer : layered_.layers) settle(layer, false, false);
        for (int sweep = 0; sweep < sweeps; ++sweep) {
            for (std::size_t i = 1; i < count; ++i) settle(layered_.layers[i], true, false);
            for (std::size_t i = count; i-- > 0;) settle(layered_.layers[i], false, true);
        }
        for (std::size_t i = 1; i < count; ++i) settle(layered_.layers[i], true, false);
        const auto least = std::min_element(x_.begin(), x_.end());
        const int shift = least == x_.end() ? 0 : *least;
        for (int& x : x_) x -= shift;
        return std::move(x_);
    }

private:
    struct Block {
        double sum;     // of weighted wishes
        double weight;  // > 0
        std::size_t cells;
    };

    double wish(std::size_t cell, bool up, bool down) const {
        double sum = 0;
        int count = 0;
        for (std::size_t i : up ? above_[cell] : none_) {
            const std::size_t other = layered_.pieces[i].upper;
            sum += x_[other] + room_.upper_port[i] - room_.lower_port[i];
            ++count;
        }
        for (std::size_t i : down ? below_[cell] : none_) {
            const std::size_t other = layered_.pieces[i].lower;
            sum += x_[other] + room_.lower_port[i] - room_.upper_port[i];
            ++count;
        }
        return count == 0 ? x_[cell] : sum / count;
    }

    // The places nearest to what the cells wish, in their order and with their gaps. Without the
    // gaps that is a regression onto a sequence that does not decrease: blocks that are out of
    // order are merged and share their mean.
    void settle(const std::vector<std::size_t>& layer, bool up, bool down) {
        std::vector<Block> blocks;
        double offset = 0;
        for (std::size_t cell : layer) {
            const double weight = layered_.cells[cell].box ? 1 : passing_weight;
            blocks.push_back({(wish(cell, up, down) - offset) * weight, weight, 1});
            offset += room_.width[cell] + room_.gap;
            while (blocks.size() > 1 && mean(blocks[blocks.size() - 2]) > mean(blocks.back())) {
                const Block last = blocks.back();
                blocks.pop_back();
                blocks.back().sum += last.sum;
                blocks.back().weight += last.weight;
                blocks.back().cells += last.cells;
            }
        }
        std::size_t at = 0;
        int shift = 0;
        for (const Block& block : blocks) {
            const int start = static_cast<int>(std::lround(mean(block)));
            for (std::size_t i = 0; i < block.cells; ++i, ++at) {
                x_[layer[at]] = start + shift;
                shift += room_.width[layer[at]] + room_.gap;
            }
        }
    }

    static double mean(const Block& block) { return block.sum / block.weight; }

    const Layered& layered_;
    const Room& room_;
    std::vector<int> x_;
    std::vector<std::vector<std::size_t>> above_;  // pieces that come to a cell
    std::vector<std::vector<std::size_t>> below_;  // pieces that leave it
    const std::vector<std::size_t> none_;
};

}  // namespace

std::vector<int> place(const Layered& layered, const Room& room) {
    return Placer(layered, room).run();
}

}  // namespace pawl::draw
