import rows from './banks.json' with { type: 'json' }

/** A Brazilian bank. `code` is its COMPE number in three digits; null if it has none. */
export interface ListedBank {
  readonly id: number
  readonly ispb: string
  readonly code: string | null
  readonly name: string
  readonly fullName: string
}

const CODE = /^[0-9]{1,3}$/
const ISPB = /^[0-9A-Z]{1,8}$/

const padCode = (code: string): string => code.padStart(3, '0')

/**
 * The participants of the reserves transfer system (STR), in the order of the file. A bank's id is its position from 1
 * and is stored with accounts, so rows are only appended.
 *
 * Source: the central bank's public list as BrasilAPI publishes it (banksList.json, MIT), taken on 2026-11-21.
 */
export const banks: readonly ListedBank[] = rows.map(({ ispb, code, name, fullName }, place) => ({
  id: place + 1,
  ispb,
  code: code === null ? null : padCode(String(code)),
  name,
  fullName,
}))

const byCode = new Map(banks.map((bank) => [bank.code, bank]))
const byIspb = new Map(banks.map((bank) => [bank.ispb, bank]))

/** Finds a bank by its COMPE number; leading zeros are optional. */
export const bankByCode = (code: string): ListedBank | null =>
  CODE.test(code) ? (byCode.get(padCode(code)) ?? null) : null

/** Finds a bank by its ISPB; leading zeros are optional. */
export const bankByIspb = (ispb: string): ListedBank | null =>
  ISPB.test(ispb) ? (byIspb.get(ispb.padStart(8, '0')) ?? null) : null

export const bankById = (id: number): ListedBank | null => banks[id - 1] ?? null
