/** US dollars; fractions of a cent only where they matter. */
export function formatMoney(dollars: number): string {
  const size = Math.abs(dollars)
  const digits = size === 0 || size >= 1 ? 2 : size < 0.01 ? 4 : 3
  return `${dollars < 0 ? '−' : ''}$${size.toFixed(digits)}`
}
