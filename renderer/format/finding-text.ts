export const withoutKind = (reason: string): string => reason.replace(/^[a-z]+(?:-[a-z]+)*: /, '')

export const formatSure = (score: number): string => `${Math.round(score * 100)}\u00a0% sure`
