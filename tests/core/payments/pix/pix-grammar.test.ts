import fc from 'fast-check'
import { isStaticTxid } from '../../../../core/payments/pix/br-code.ts'
import { isEndToEndId } from '../../../../core/payments/pix/pix-id.ts'
import { readPixKey } from '../../../../core/payments/pix/pix-key.ts'
import { agrees, decoded, type Grammar, logSeed, type Verdict } from '../../kernel/input/grammars/grammar.ts'
import { bareOf, documents, kindOf } from '../../kernel/input/grammars/tax-ids.ts'

logSeed()

const every = (text: string, letters: string) => [...text].every((each) => letters.includes(each))
const DIGITS = '0123456789'
const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const UPPER = LOWER.toUpperCase()

const LOCAL = `${LOWER}${DIGITS}.!#$&'*+/=?^_\`{|}~-`
const isLabel = (label: string) =>
  label.length >= 1 &&
  label.length <= 63 &&
  every(label, `${LOWER}${DIGITS}-`) &&
  !label.startsWith('-') &&
  !label.endsWith('-')

const emailKey = (lower: string): string | null => {
  const [local = '', host = '', ...more] = lower.split('@')
  const isAddress = more.length === 0 && local !== '' && every(local, LOCAL) && host.split('.').every(isLabel)
  return isAddress && lower.length <= 77 ? lower : null
}

const phoneKey = (text: string): string | null => {
  const isMarked = text.includes('+') || text.includes('(')
  const after = text.startsWith('(') ? text.slice(1) : text
  const rest = after.startsWith('+') ? after.slice(1) : after
  if (!isMarked || rest === '' || !every(rest, `${DIGITS}() .-`)) return null
  const number = [...rest].filter((each) => DIGITS.includes(each)).join('')
  const whole = text.includes('+') ? number : `55${number}`
  if (!whole.startsWith('55')) return whole.length >= 3 && whole.length <= 16 && whole[0] !== '0' ? `+${whole}` : null
  const isMobile = whole.length === 13 && whole[2] !== '0' && whole[3] !== '0' && whole[4] === '9'
  return isMobile ? `+${whole}` : null
}

const isEvp = (lower: string) => {
  const groups = lower.split('-')
  return groups.map(({ length }) => length).join() === '8,4,4,4,12' && every(groups.join(''), 'abcdef0123456789')
}

const keyOf = (text: string): Verdict => {
  const trimmed = text.trim()
  const lower = trimmed.toLowerCase()
  const as = (type: string, key: string | null): Verdict => (key === null ? null : decoded({ type, key }))
  if (lower.includes('@')) return as('EMAIL', emailKey(lower))
  if (isEvp(lower)) return as('EVP', lower)
  const phone = phoneKey(trimmed)
  if (phone !== null) return as('PHONE', phone)
  const isMasked = every(trimmed, `${DIGITS}${LOWER}${UPPER}./ -`) && !'./ -'.includes(trimmed.charAt(0))
  const bare = bareOf(trimmed)
  const kind = isMasked ? kindOf(bare) : null
  return as(kind ?? '', kind && bare)
}

const mobile = fc.stringMatching(/^[1-9]{2}9[0-9]{8}$/)
const masks: readonly ((number: string) => string)[] = [
  (number) => `+55${number}`,
  (number) => `(${number.slice(0, 2)}) ${number.slice(2, 7)}-${number.slice(7)}`,
  (number) => `+55 ${number.slice(0, 2)} ${number.slice(2)}`,
]
const keyed = (type: string) => (key: string) => ({ type, key })

const keys: Grammar = {
  near: '0159aZ@.+-() /K',
  oracle: keyOf,
  valid: fc.oneof(
    fc
      .tuple(fc.stringMatching(/^[a-z0-9!#$&'*+/=?^_`{|}~.-]{1,20}@[a-z0-9]{1,9}(\.[a-z0-9]{1,9}){0,2}$/), fc.boolean())
      .map(([key, isUpper]) => [isUpper ? key.toUpperCase() : ` ${key}`, keyed('EMAIL')(key)] as const),
    fc.uuid().map((key) => [key.toUpperCase(), keyed('EVP')(key)] as const),
    fc
      .tuple(mobile, fc.constantFrom(...masks))
      .map(([number, mask]) => [mask(number), keyed('PHONE')(`+55${number}`)] as const),
    documents('CPF').map(([text, key]) => [text, keyed('CPF')(key)] as const),
    documents('CNPJ').map(([text, key]) => [text, keyed('CNPJ')(key)] as const),
  ),
}

const same = (valid: fc.Arbitrary<string>, holds: (text: string) => boolean, near: string): Grammar => ({
  near,
  oracle: (text) => (holds(text) ? decoded(text) : null),
  valid: valid.map((text) => [text, text] as const),
})

const between = (text: string, least: number, most: number) =>
  every(text, DIGITS) && Number(text) >= least && Number(text) <= most

const isPayment = (id: string) =>
  id.length === 32 &&
  id[0] === 'E' &&
  every(id.slice(1, 9), DIGITS + UPPER) &&
  every(id.slice(9, 13), DIGITS) &&
  between(id.slice(13, 15), 1, 12) &&
  between(id.slice(15, 17), 1, 31) &&
  between(id.slice(17, 19), 0, 23) &&
  between(id.slice(19, 21), 0, 59) &&
  every(id.slice(21), DIGITS + LOWER + UPPER)

const payments = fc
  .tuple(
    fc.stringMatching(/^[0-9A-Z]{8}$/),
    fc.date({ min: new Date('2020-11-16'), max: new Date('2099-12-31'), noInvalidDate: true }),
    fc.stringMatching(/^[a-zA-Z0-9]{11}$/),
  )
  .map(([ispb, at, random]) => `E${ispb}${at.toISOString().slice(0, 16).replace(/\D/g, '')}${random}`)

const whether = (holds: (text: string) => boolean) => (text: string) => (holds(text) ? decoded(text) : null)

const isTxid = (text: string) =>
  text === '***' || (text.length >= 1 && text.length <= 25 && every(text, DIGITS + LOWER + UPPER))

agrees(
  'a Pix key',
  (text) => {
    const read = readPixKey(text)
    if (read && readPixKey(read.key)?.key !== read.key) throw new Error(`${read.key} changes when it is read again`)
    return read && decoded({ ...read })
  },
  keys,
)
agrees('an end-to-end id', whether(isEndToEndId), same(payments, isPayment, '0123456789EDaZ'))
agrees(
  'the txid of a static code',
  whether(isStaticTxid),
  same(fc.oneof(fc.constant('***'), fc.stringMatching(/^[a-zA-Z0-9]{1,25}$/)), isTxid, '*0aZ'),
)
