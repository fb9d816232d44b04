const NARROW = 1
const WIDE = 3
/** Of each digit, which two of its five bars or spaces are wide. */
const WIDTHS = ['00110', '10001', '01001', '11000', '00101', '10100', '01100', '00011', '10010', '01010'].map((digit) =>
  [...digit].map((width) => (width === '1' ? WIDE : NARROW)),
)
const START = [NARROW, NARROW, NARROW, NARROW]
const STOP = [WIDE, NARROW, NARROW]

const widthsOf = (digit: string): readonly number[] => WIDTHS[Number(digit)] ?? []

/**
 * An even number of digits as Interleaved 2 of 5: the widths in modules of bars and spaces in turn, first a bar. Of each
 * pair the first digit is told in bars, the second in the spaces between them.
 * Source: pix-boleto.md §3.7.
 */
export const itfWidths = (digits: string): readonly number[] => {
  const pairs = digits.match(/\d\d/g) ?? []
  const told = pairs.flatMap((pair) => {
    const spaces = widthsOf(pair.charAt(1))
    return widthsOf(pair.charAt(0)).flatMap((bar, index) => [bar, spaces[index] ?? NARROW])
  })
  return [...START, ...told, ...STOP]
}
