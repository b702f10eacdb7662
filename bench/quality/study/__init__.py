"""The study of fairstream and its peers: same records, same folds, same measures.

Read in this order: data (what is learnt from), folds (who learns from which records), measures (what is
kept of a run), streaming and batch methods (fairstream, online, peers, optimum), store (results kept
between runs), summary (means and bars), report and figures (what people read).
"""
