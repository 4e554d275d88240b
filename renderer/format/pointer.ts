/** Accepts JavaScript-style paths and JSON pointers. */
export const pointerOf = (place: string): string =>
  place === ''
    ? ''
    : `/${place
        .replace(/\["(.*?)"\]/g, '.$1')
        .replace(/\[(\d+)\]/g, '.$1')
        .split('.')
        .join('/')}`
