import fc from 'fast-check'
import { decoded, type Grammar } from './grammar.ts'
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

/** An e-mail address in any case, with spaces around it. */
export const email: Grammar = {
  near: '@.-+ab,; <>"',
  oracle: (text) => {
    const clean = plain(text.toLowerCase(), { max: 255 })
    const parts = clean?.split('@') ?? []
    const [mailbox = '', host = ''] = parts
    const labels = host.split('.')
    const isAddress =
      parts.length === 2 && mailbox.split('.').every(isAtom) && labels.length > 1 && labels.every(isLabel)
    return isAddress ? decoded(clean) : null
  },
  valid: fc
    .tuple(several(atom, 1), several(label, 2), fc.boolean(), fc.constantFrom('', ' ', '\n'))
    .map(([mailbox, host, isUpper, around]) => {
      const text = `${mailbox}@${host}`
      return [around + (isUpper ? text.toUpperCase() : text) + around, text] as const
    }),
}

// Does not use `URL.canParse`: once optimized, that of Node 20 refuses letters beyond ASCII.
const hostOf = (text: string): string => {
  try {
    return new URL(text).hostname
  } catch {
    return ''
  }
}

const SCHEMES = ['http://', 'https://']

/** Reports whether a text is a web address without a password, with a host that the runtime's URL parser accepts. */
const isWebAddress = (clean: string): boolean => {
  const scheme = SCHEMES.find((each) => clean.slice(0, each.length).toLowerCase() === each)
  if (!scheme || /\s/.test(clean)) return false
  const rest = clean.slice(scheme.length)
  const ends = Array.from('/?#', (each) => rest.indexOf(each)).filter((at) => at >= 0)
  const authority = rest.slice(0, Math.min(rest.length, ...ends))
  if (authority === '' || authority.includes('@') || authority.includes('\\')) return false
  return hostOf(clean) !== ''
}

/** A web address, decoded unchanged. */
export const url: Grammar = {
  near: ':/?#@\\.[]%ahttps0',
  oracle: (text) => {
    const clean = plain(text, { max: 2_048 })
    return clean !== null && isWebAddress(clean) ? decoded(clean) : null
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
    // The parser reads a numeric host as an IPv4 address, which can be invalid.
    .filter((text) => hostOf(text) !== '')
    .map((text) => [text, text] as const),
}
