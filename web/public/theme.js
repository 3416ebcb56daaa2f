// Before the first paint, so that a page in the chosen theme never flashes in the other one. web/components/theme.ts
// writes the value.
try {
  const theme = localStorage.getItem('slipway.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // A browser may refuse storage; then the theme follows the system.
}
