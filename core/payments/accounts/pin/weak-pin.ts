/** How far apart two neighbouring digits are, all the way through. */
const steps = (pin: string): readonly number[] =>
  [...pin].slice(1).map((digit, index) => Number(digit) - Number(pin.charAt(index)))

/** Whether a PIN is a run (123456, 987654: every step +1, or every step -1) or one digit over and over. Source: decisions.md §12. */
export const isWeakPin = (pin: string): boolean => {
  const [first, ...others] = steps(pin)
  return first !== undefined && Math.abs(first) <= 1 && others.every((step) => step === first)
}
