/** How keys of vendors and sign-ins begin, as their documentation shows them; ours begins with `sk-` too. */
const beginnings = [
  ...['sk-', 'sk_live_', 'sk_test_', 'rk_live_', 'gsk_', 'xai-', 'pplx-', 'hf_', 'r8_', 'nvapi-'],
  ...['csk-', 'tgp_', 'AIza', 'ya29\\.', 'eyJ', 'gh[oprsu]_', 'github_pat_', 'glpat-'],
  ...['xox[abeoprs]-', 'xapp-', 'A[KS]IA', 'dop_v1_', 'whsec_'],
]

/** Keys by their look. */
export const KEY_SHAPE: RegExp = new RegExp(`\\b(?:${beginnings.join('|')})[\\w.~+/-]{8,}`, 'g')
