/** Lists and quotes in each other: the parser and what draws its tree go into each by a call. */
const DEEPEST = 100
/** Signs of emphasis, links and images in one paragraph, whose pairs are found in a time that grows with their square. */
const MOST_SIGNS = 2000

const MARKER = /[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))/y
const SIGNS = /[*_~]|!\[|\]\(/g
/** Whatever stands before it, a paragraph goes on no further. */
const PARAGRAPH_ENDS = /^(?:[ \t>]*$| {0,3}[-*+] +\S| {0,3}#{1,6} )/

/** Containers that a line begins, and those that its indentation goes on with. */
function depthOf(line: string): number {
  let markers = 0
  MARKER.lastIndex = 0
  while (MARKER.test(line)) markers++
  if (markers === 0) return 0
  const [indent = ''] = /^[ \t]*/.exec(line) ?? []
  return markers + indent.replaceAll('\t', '    ').length / 2
}

/**
 * Would this text hold the page up, or be too deep to draw? A model that goes on with one sign without end writes such,
 * and so does one that means harm.
 */
export function isHardMarkdown(text: string): boolean {
  let signs = 0
  return text.split('\n').some((line) => {
    if (PARAGRAPH_ENDS.test(line)) signs = 0
    signs += line.match(SIGNS)?.length ?? 0
    return signs > MOST_SIGNS || depthOf(line) > DEEPEST
  })
}
