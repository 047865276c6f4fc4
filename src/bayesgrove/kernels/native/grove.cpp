// Binds the kernels of groves, apart from the others, so that both files compile side by side.
#include <nanobind/stl/pair.h>

#include "back_off.hpp"
#include "corrections.hpp"
#include "member_bins.hpp"
#include "residual_gains.hpp"
#include "table_sums.hpp"

using namespace nb::literals;
using namespace bayesgrove;

void bind_grove(nb::module_& m) {
    m.def("back_off_tables", &back_off_tables, "columns"_a, "cards"_a, "target"_a, "n_classes"_a,
          "weights"_a.none(), "in_bag"_a, "rows"_a, "children"_a, "parent_starts"_a, "parents"_a,
          "pseudo_counts"_a, "strengths"_a, "penalties"_a, "max_cells"_a);
    m.def("gather_terms", &gather_terms, "cells"_a, "starts"_a, "logs"_a, "twins"_a, "target"_a,
          "rows"_a);
    m.def("weighted_terms", &weighted_terms, "cells"_a, "starts"_a, "logs"_a, "twins"_a,
          "target"_a, "exponents"_a, "offset"_a);
    m.def("add_cell_entries", &add_cell_entries, "cells"_a, "starts"_a, "entries"_a,
          "columns"_a, "out"_a);
    m.def("fit_exponents", &fit_exponents, "terms"_a, "target"_a, "weights"_a.none(), "offset"_a,
          "centres"_a, "common"_a, "each"_a, "bias"_a, "start"_a, "iterations"_a);
    m.def("fit_corrections", &fit_corrections, "cells"_a, "depths"_a, "sizes"_a, "ups"_a,
          "penalties"_a, "codes"_a, "axis_starts"_a, "positions"_a, "linear_penalty"_a, "rows"_a, "offsets"_a, "target"_a,
          "weights"_a.none(), "iterations"_a);
    m.def("draw_bins", &draw_bins, "starts"_a, "positions"_a, "by_fold"_a, "left_out"_a, "bins"_a,
          "shifts"_a, "whole"_a, "supervised"_a, "noise"_a, "min_rows"_a, "min_gains"_a,
          "threads"_a);
    m.def("residual_gains", &residual_gains, "columns"_a, "cards"_a, "residuals"_a, "variances"_a,
          "folds"_a, "n_folds"_a, "penalty"_a, "threads"_a);
    m.def("add_table_entries", &add_table_entries, "columns"_a, "cards"_a, "children"_a,
          "parent_starts"_a, "parents"_a, "sizes"_a, "config_starts"_a, "config_codes"_a,
          "cell_starts"_a, "cell_codes"_a, "entries"_a, "unseen"_a, "out"_a, "threads"_a);
}
