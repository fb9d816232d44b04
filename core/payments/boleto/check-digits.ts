/** The sum of the digits times weights that a rule gives by place from the right, each product as the rule counts it. */
const weighted = (digits: string, weightAt: (place: number) => number, count: (product: number) => number): number => {
  let sum = 0
  for (let place = 0; place < digits.length; place += 1)
    sum += count((digits.charCodeAt(digits.length - 1 - place) - 48) * weightAt(place))
  return sum
}

const asItIs = (product: number): number => product
/** The sum of the digits of a product of at most 18. */
const crossSum = (product: number): number => (product > 9 ? product - 9 : product)

/** Of digits under the weights 2 and 1 in turn: the check digit of each field of a line. Source: pix-boleto.md §3.1. */
export const modulo10 = (digits: string): number => {
  const sum = weighted(digits, (place) => 2 - (place % 2), crossSum)
  return (10 - (sum % 10)) % 10
}

/** 11 less the rest under the weights 2 to 9: 1 to 11, of which each rule says what stands for the two-digit ones. */
const modulo11 = (digits: string): number => 11 - (weighted(digits, (place) => 2 + (place % 8), asItIs) % 11)

/** The check digit of a whole bar code, over the 43 other digits; never 0. Source: pix-boleto.md §3.1. */
export const barcodeCheckDigit = (digits: string): number => {
  const digit = modulo11(digits)
  return digit > 9 ? 1 : digit
}

/** The check digit of Sicredi's own numbers. Source: pix-boleto.md §3.3. */
export const sicrediCheckDigit = (digits: string): number => {
  const digit = modulo11(digits)
  return digit > 9 ? 0 : digit
}
