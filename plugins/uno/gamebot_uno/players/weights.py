"""Weights of the evaluation: data, tuned by the method of `tools/tune_uno.py`; see there.

- `two`: 22 rounds: 10 of 8,000 games, then 12 of 12,000 with the divergence set back to its start
- `many`: 5 rounds of 12,000 games

The three bases of `challenge` of `two` were raised by 6 afterwards: such decisions are too rare for
the gradient, and playing 4,000 games with each threshold showed that challenging nearly always
wins 72.2 -> 73.6 % against `random` and costs nothing against `greedy` (58.7 -> 59.0 %).

They were tuned before the tool had its present form (chance was seeded otherwise, and a
challenger knew the colour under a wild), so `tune` gives weights of the same strength, not these
digits: after 10 rounds it is where these are (`docs/uno-players.md`). `write` replaces this module.
"""

from __future__ import annotations

from gamebot_uno.players.evaluation import Weights

TWO = Weights.read(
    """\
kind            one_card two_cards more
number           8.698  11.632  19.562
skip            -2.948   1.863   6.444
reverse         -2.127   2.079   6.876
draw_two         3.250   2.742   4.656
wild            -2.513   1.329   5.076
wild_draw_four   0.886   1.592  -3.351
bluff            1.598  -5.500  -4.627
draw            -3.253 -10.520 -17.719
pass            -8.132  -3.872  -9.567
take            -1.806  -3.704  -8.360
challenge        4.406   0.480  -0.405
""",
    """\
group     same_color same_rank   wilds  colors unseen_color unseen_rank attacks  points follows last_follows keeps_color near_after
leaves_1     0.371  -5.045   0.342  -5.092 -16.146  -0.855  -4.653   4.689   2.752   1.119  -0.222   6.184
takes_1      1.716  -2.775  -0.024  -2.728  -4.274   0.575  -2.850   4.386   5.698   4.167  -0.766
leaves_2     1.631  -8.985  -0.198  -4.074  -9.503  -3.900  -4.713   0.617   6.586   3.628  -0.270
takes_2      1.535 -13.187   4.394  -5.427  -1.173   2.737  -0.990  -3.086   6.341   5.416   1.608
leaves_3     7.505 -11.316   4.114 -18.632 -10.045  -2.737 -15.426  -0.112   3.534   9.562   0.274
takes_3      3.122 -18.076   2.145 -15.358  -4.415   3.539  -5.081  -1.970   6.291   8.650  -0.934
draw        -6.561  -0.000  -5.191  -0.236
pass        -0.183
take        -3.927
challenge    6.346  -7.519  -3.740
""",
)

MANY = Weights.read(
    """\
kind            one_card two_cards more
number           0.602   2.224   2.205
skip            -0.860   0.890   0.908
reverse          0.045   0.312   1.001
draw_two         1.232   0.452   0.518
wild             0.221  -0.248   1.825
wild_draw_four   0.465  -0.093   0.598
bluff           -0.445  -0.506  -1.239
draw            -3.213  -2.978  -4.063
pass            -2.702  -2.955  -3.414
take            -1.266  -2.097  -2.945
challenge       -2.080  -2.999  -3.384
""",
    """\
group     same_color same_rank   wilds  colors unseen_color unseen_rank attacks  points follows last_follows keeps_color near_after
leaves_1     0.481   0.057   0.049  -0.183  -1.211  -0.869   0.050   0.550   0.357  -0.023  -0.209   0.823
takes_1      0.790   0.592  -0.037   0.096  -0.377  -0.177  -0.831   0.468   0.358   0.824   0.223   0.266
leaves_2     0.679   0.690   0.378  -0.637  -0.687  -0.198  -0.559   0.511   0.292   0.743  -0.533
takes_2      1.398  -0.681   0.436   0.227  -0.837   0.017  -0.044   0.156   0.810   2.363  -0.013  -0.017
leaves_3     0.798  -0.010   2.046  -1.494  -1.305  -0.488  -0.080  -0.146   0.470   1.904  -0.078
takes_3      0.913  -0.564   0.368  -1.372  -0.747  -0.867  -0.179   0.826   0.588   2.001   0.085  -0.239
draw        -2.327   0.000  -3.606   0.113
pass         0.325
take        -1.402
challenge    2.164  -2.463   0.002
""",
)
