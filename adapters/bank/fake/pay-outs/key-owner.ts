import { isCpf, taxIdKind } from '../../../../core/kernel/values/tax-id.ts'
import type { BankAccountHolder } from '../../../../core/ports/bank.ts'

const NAMES = ['Ana Souza', 'Bruno Lima', 'Carla Mendes', 'Diego Rocha', 'Elisa Prado', 'Fábio Nunes'] as const
/** Banco do Brasil, Santander, Caixa, Bradesco, Itaú. */
const ISPBS = ['00000000', '90400888', '00360305', '60746948', '60701190'] as const
/** E-mails that nobody has registered. Source: decisions.md §8. */
const NOBODY = /^inexistente.*@/

/** FNV-1a: the same key is the same person in every process. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let place = 0; place < text.length; place += 1) hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193)
  return hash >>> 0
}

const digits = (of: number, length: number): string => `${of}`.padStart(length, '0').slice(-length)

const pick = <T>(from: readonly [T, ...T[]], by: number): T => from[by % from.length] ?? from[0]

/** A CPF with these digits before its check digits. */
const cpfOf = (base: string): string => {
  for (let check = 0; check < 100; check += 1) {
    const cpf = `${base}${digits(check, 2)}`
    if (isCpf(cpf)) return cpf
  }
  return '12345678909'
}

/** Whose a key is here: whoever has it is made of it. Null where nobody has it. */
export const ownerOf = (key: string): BankAccountHolder | null => {
  if (NOBODY.test(key)) return null
  const hash = hashOf(key)
  const kind = taxIdKind(key)
  const name = pick(NAMES, hash)
  return {
    name: kind === 'CNPJ' ? `${name} Comércio Ltda` : name,
    document: kind === null ? cpfOf(digits(hash, 9)) : key,
    ispb: pick(ISPBS, hash >>> 3),
    branch: digits(hash >>> 5, 4),
    account: `${digits(hash >>> 7, 5)}-${digits(hash >>> 11, 1)}`,
    accountType: 'CORRENTE',
  }
}
