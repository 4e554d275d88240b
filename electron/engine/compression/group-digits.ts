/** Without a locale: its formatter takes longer to create than most headers, and its output varies. */
export const groupDigits = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
