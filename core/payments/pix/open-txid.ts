const RADIX = 36n
/** As many of the signs as the 128 bits of a uuid take: just what 62-05 of a static code holds. */
const LENGTH = 25
const SHAPE = /^[0-9A-Z]{25}$/
const END = 1n << 128n

/** The txid of the code by which anybody pays an account what they like: its uuid in other signs. */
export const openTxidOf = (uuid: string): string =>
  BigInt(`0x${uuid.replaceAll('-', '')}`)
    .toString(Number(RADIX))
    .toUpperCase()
    .padStart(LENGTH, '0')

/** The uuid of the account whose open code has this txid; null where it can be none's. */
export const uuidOfOpenTxid = (txid: string): string | null => {
  if (!SHAPE.test(txid)) return null
  const value = [...txid].reduce((sum, sign) => sum * RADIX + BigInt(Number.parseInt(sign, Number(RADIX))), 0n)
  if (value >= END) return null
  const hex = value.toString(16).padStart(32, '0')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
