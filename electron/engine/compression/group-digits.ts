/** "4,812": without a locale, whose formatter takes longer to make than most answers' headers and may print otherwise elsewhere. */
export const groupDigits = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
