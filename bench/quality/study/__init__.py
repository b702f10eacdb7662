"""The study of fairstream and its peers: same records, same folds, same measures.

Read in this order: data (what is learnt from), folds (who learns from which records), measures (what is
kept of a run), columns (what batch methods learn from), streaming,
online, peers, optimum (the methods; methods lists them), odds (other criteria, on Adult), store
(results kept between runs), summary (means and bars), report, verdict, odds_report, tables and figures (what people read).
"""
