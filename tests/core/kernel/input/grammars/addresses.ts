import fc from 'fast-check'
import { type Grammar, kept } from './grammar.ts'
import { plain } from './texts.ts'

const ATOM = "!#$%&'*+/=?^_`{|}~-"
const isWordLetter = (each: string) => /[\p{L}\p{N}\p{M}]/u.test(each)
const isAtom = (text: string) =>
  text !== '' && Array.from(text).every((each) => isWordLetter(each) || ATOM.includes(each))
const isLabel = (text: string) =>
  text !== '' &&
  !text.startsWith('-') &&
  !text.endsWith('-') &&
  Array.from(text).every((each) => isWordLetter(each) || each === '-')

const atom = fc.stringMatching(/^[a-z0-9!#$%&'*+/=?^_`{|}~-]{1,8}$/)
const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,6}[a-z0-9])?$/)
const several = (one: fc.Arbitrary<string>, minLength: number) =>
  fc.array(one, { minLength, maxLength: 4 }).map((parts) => parts.join('.'))

/** An address that may be written in capitals and between spaces. */
export const email: Grammar = {
  near: '@.-+ab,; <>"',
  oracle: (text) => {
    const clean = plain(text.toLowerCase(), { max: 255 })
    const parts = clean?.split('@') ?? []
    const [mailbox = '', host = ''] = parts
    const labels = host.split('.')
    const isAddress =
      parts.length === 2 && mailbox.split('.').every(isAtom) && labels.length > 1 && labels.every(isLabel)
    return isAddress ? kept(clean) : null
  },
  valid: fc
    .tuple(several(atom, 1), several(label, 2), fc.boolean(), fc.constantFrom('', ' ', '\n'))
    .map(([mailbox, host, isUpper, around]) => {
      const text = `${mailbox}@${host}`
      return [around + (isUpper ? text.toUpperCase() : text) + around, text] as const
    }),
}

// Not by `URL.canParse`: that of Node 20 refuses letters beyond ASCII once it runs hot.
const hostOf = (text: string): string => {
  try {
    return new URL(text).hostname
  } catch {
    return ''
  }
}

const SCHEMES = ['http://', 'https://']

/** Whether an authority and what follows name a host that this runtime's own URL parser knows, and nobody's password. */
const isWebAddress = (clean: string): boolean => {
  const scheme = SCHEMES.find((each) => clean.slice(0, each.length).toLowerCase() === each)
  if (!scheme || /\s/.test(clean)) return false
  const rest = clean.slice(scheme.length)
  const ends = Array.from('/?#', (each) => rest.indexOf(each)).filter((at) => at >= 0)
  const authority = rest.slice(0, Math.min(rest.length, ...ends))
  if (authority === '' || authority.includes('@') || authority.includes('\\')) return false
  return hostOf(clean) !== ''
}

/** An address that is kept as it was sent. */
export const url: Grammar = {
  near: ':/?#@\\.[]%ahttps0',
  oracle: (text) => {
    const clean = plain(text, { max: 2_048 })
    return clean !== null && isWebAddress(clean) ? kept(clean) : null
  },
  valid: fc
    .tuple(
      fc.constantFrom('http://', 'https://', 'HTTPS://'),
      fc.oneof(several(label, 1), fc.ipV4(), fc.constantFrom('[::1]', '[2001:db8::1]')),
      fc.oneof(
        fc.constant(''),
        fc.integer({ min: 1, max: 65_535 }).map((port) => `:${port}`),
      ),
      fc.constantFrom('', '/', '/a/b', '/ação', '?q=a@b', '#x', '/%20?x=\\&y', '/../..'),
    )
    .map((parts) => parts.join(''))
    // What looks like a number is an IPv4 address to that parser, and may be none.
    .filter((text) => hostOf(text) !== '')
    .map((text) => [text, text] as const),
}
