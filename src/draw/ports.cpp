#include "draw/ports.hpp"

#include <algorithm>

namespace pawl::draw {

std::vector<Ports> ports_of(const Graph& graph, const Layered& layered) {
    std::vector<Ports> ports(graph.boxes.size());
    for (std::size_t i = 0; i < layered.pieces.size(); ++i) {
        const Piece& piece = layered.pieces[i];
        const Port port{piece.arrow, i};
        if (const auto box = layered.cells[piece.upper].box) ports[*box].out.push_back(port);
        if (const auto box = layered.cells[piece.lower].box) ports[*box].in.push_back(port);
    }
    const auto order = [&](const Port& port, bool lower) {
        const Piece& piece = layered.pieces[*port.piece];
        return layered.cells[lower ? piece.lower : piece.upper].order;
    };
    for (Ports& each : ports) {
        std::stable_sort(each.out.begin(), each.out.end(), [&](const Port& a, const Port& b) {
            return order(a, true) < order(b, true);
        });
        std::stable_sort(each.in.begin(), each.in.end(), [&](const Port& a, const Port& b) {
            return order(a, false) < order(b, false);
        });
    }
    for (std::size_t i = 0; i < graph.arrows.size(); ++i) {
        if (!layered.back[i]) continue;
        ports[graph.arrows[i].from].out.push_back({i, std::nullopt});
        ports[graph.arrows[i].to].in.push_back({i, std::nullopt});
    }
    return ports;
}

int least_side(const std::vector<Port>& ports) {
    int size = ports.empty() ? 0 : -1;
    for (const Port& port : ports) size += port.least + 1;
    return size;
}

void share_out(std::vector<Port>& ports, int first, int size) {
    const auto count = static_cast<int>(ports.size());
    int spare = size - least_side(ports);
    for (int i = 0; i < count; ++i) {
        Port& port = ports[static_cast<std::size_t>(i)];
        const int extra = spare / (count - i);
        spare -= extra;
        port.begin = first;
        port.end = first + port.least + extra - 1;
        first = port.end + 2;
    }
}

namespace {

struct Share {
    int begin = 0;
    int end = 0;
    int middle() const { return (begin + end) / 2; }
};

}  // namespace

void place_ports(Ports& ports, int margin, int width, Room& room) {
    share_out(ports.in, margin, width - 2 * margin);
    share_out(ports.out, margin, width - 2 * margin);
    for (const Port& port : ports.in) {
        if (port.piece) room.lower_port[*port.piece] = port.middle();
    }
    for (const Port& port : ports.out) {
        if (port.piece) room.upper_port[*port.piece] = port.middle();
    }
}

Ends ends_of(
    const Layered& layered,
    const std::vector<Ports>& ports,
    const std::vector<int>& left,
    int passing
) {
    std::vector<Share> upper(layered.pieces.size());
    std::vector<Share> lower(layered.pieces.size());
    for (std::size_t i = 0; i < layered.pieces.size(); ++i) {
        const int above = left[layered.pieces[i].upper] + passing;
        const int below = left[layered.pieces[i].lower] + passing;
        upper[i] = {above, above};
        lower[i] = {below, below};
    }
    Ends ends;
    ends.out.resize(layered.back.size());
    ends.in.resize(layered.back.size());
    for (std::size_t box = 0; box < ports.size(); ++box) {
        for (const Port& port : ports[box].in) {
            const Share share{left[box] + port.begin, left[box] + port.end};
            ends.in[port.arrow] = share.middle();
            if (port.piece) lower[*port.piece] = share;
        }
        for (const Port& port : ports[box].out) {
            const Share share{left[box] + port.begin, left[box] + port.end};
            ends.out[port.arrow] = share.middle();
            if (port.piece) upper[*port.piece] = share;
        }
    }
    for (std::size_t i = 0; i < layered.pieces.size(); ++i) {
        const Piece& piece = layered.pieces[i];
        const int from = std::max(upper[i].begin, lower[i].begin);
        const int to = std::min(upper[i].end, lower[i].end);
        const bool straight = from <= to;
        const int column = straight ? std::clamp(upper[i].middle(), from, to) : 0;
        ends.upper.push_back(straight ? column : upper[i].middle());
        ends.lower.push_back(straight ? column : lower[i].middle());
        if (layered.cells[piece.upper].box) ends.out[piece.arrow] = ends.upper.back();
        if (layered.cells[piece.lower].box) ends.in[piece.arrow] = ends.lower.back();
    }
    return ends;
}

}  // namespace pawl::draw
