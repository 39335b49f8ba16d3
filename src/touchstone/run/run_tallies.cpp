#include "touchstone/run/run_tallies.h"

#include <cassert>

namespace touchstone {
namespace {

/// Tallies in the checkpoints of the first version that had any.
constexpr std::size_t kFirstTallies = 17;

/// Shows every tally of a summary to `visit`, in the order of the file. Later versions add theirs at the end.
template <class Summary, class Visit>
void visit_tallies(Summary& s, Visit&& visit) {
  visit(s.steps), visit(s.min_gap), visit(s.min_gap_time);
  visit(s.min_gap_bodies[0]), visit(s.min_gap_bodies[1]);
  visit(s.max_overlap), visit(s.energy_gained), visit(s.energy_scale);
  visit(s.momentum_error), visit(s.residual), visit(s.joint_error);
  visit(s.divided_steps), visit(s.identity_error), visit(s.fastest), visit(s.relaxed_steps);
  visit(s.contacts), visit(s.most_contacts);
  visit(s.energy_excess), visit(s.joint_work), visit(s.drive_work), visit(s.largest_gain);
  visit(s.located_impacts), visit(s.merged_impacts), visit(s.joint_rise);
  visit(s.friction_islands), visit(s.canonical_islands), visit(s.turns);
  visit(s.pushing_pairs), visit(s.sliding_pairs);
  visit(s.dulled_impacts);
}

/// Writes tallies down, one after the other.
struct Writer {
  std::vector<double> tallies;
  const std::function<int(const std::string&)>& index_of;
  void operator()(double x) { tallies.push_back(x); }
  void operator()(long count) { tallies.push_back(static_cast<double>(count)); }
  void operator()(const std::string& body) { tallies.push_back(index_of(body)); }
};

struct Reader {
  const double* next;
  const std::function<std::string(int)>& name_of;
  void operator()(double& x) { x = *next++; }
  void operator()(long& count) { count = static_cast<long>(*next++); }
  void operator()(std::string& body) { body = name_of(static_cast<int>(*next++)); }
};

std::size_t count_tallies() {
  std::size_t count = 0;
  const RunSummary none;
  visit_tallies(none, [&](const auto&) { ++count; });
  return count;
}

}  // namespace

std::vector<double> tallies_of(const RunSummary& summary,
                               const std::function<int(const std::string&)>& index_of) {
  Writer writer{{}, index_of};
  visit_tallies(summary, writer);
  return writer.tallies;
}

void set_tallies(std::vector<double> tallies, RunSummary& summary,
                 const std::function<std::string(int)>& name_of) {
  assert(tallies.size() <= count_tallies());
  tallies.resize(count_tallies(), 0);  // earlier versions counted less
  Reader reader{tallies.data(), name_of};
  visit_tallies(summary, reader);
  assert(reader.next == tallies.data() + tallies.size());
}

bool are_tallies(std::size_t count) { return count >= kFirstTallies && count <= count_tallies(); }

}  // namespace touchstone
