const PLACE = /\w\.[A-Za-z]\w{0,9}(?::\d+|\(\d+[,)])/

/** A line of a file: "src/main.rs:12:4", "Program.cs(8,3)". */
export const namesPlace = (text: string): boolean => PLACE.test(text)
