// Before the first paint, so that nobody is dazzled: what was chosen last, else what the system likes.
document.documentElement.dataset.theme =
  localStorage.getItem('hindsight.theme') ?? (matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark');
