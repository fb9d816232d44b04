import { createDecipheriv, createHmac, hkdfSync } from 'node:crypto'
import test from 'ava'
import fc from 'fast-check'
import { aesCipher, digest } from '../../../adapters/crypto/cipher.ts'
import { anyText } from '../../any-text.ts'

const key = new Uint8Array(32).fill(7)
const cipher = aesCipher(key)
const CONTEXT = 'payments.accounts|12|smtpPassword'
const refused = { message: 'the sealed text cannot be opened with this key and context' }

test('opens any sealed text with its context', (t) => {
  const text = fc.string({ unit: 'grapheme' })
  fc.assert(fc.property(text, text, (secret, context) => cipher.open(cipher.seal(secret, context), context) === secret))
  t.is(cipher.open(cipher.seal('', ''), ''), '')
})

test('seals as v1 and three parts in base64url, differently each time', (t) => {
  const sealed = cipher.seal('segredo', CONTEXT)
  t.regex(sealed, /^v1\.[\w-]{16}\.[\w-]{10}\.[\w-]{22}$/)
  t.not(sealed, cipher.seal('segredo', CONTEXT))
})

test('seals with AES-256-GCM and the context as additional data', (t) => {
  const [, nonce = '', text = '', tag = ''] = cipher.seal('ação 🔐', CONTEXT).split('.')
  const opener = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'))
  opener.setAAD(Buffer.from(CONTEXT))
  opener.setAuthTag(Buffer.from(tag, 'base64url'))
  t.is(opener.update(text, 'base64url', 'utf8') + opener.final('utf8'), 'ação 🔐')
})

test('throws for another context or key', (t) => {
  const sealed = cipher.seal('segredo', CONTEXT)
  t.throws(() => cipher.open(sealed, 'payments.accounts|13|smtpPassword'), refused)
  t.throws(() => cipher.open(sealed, ''), refused)
  t.throws(() => aesCipher(new Uint8Array(32).fill(8)).open(sealed, CONTEXT), refused)
})

test('throws if any character is changed', (t) => {
  const sealed = cipher.seal('segredo', CONTEXT)
  for (const at of sealed.split('').keys()) {
    for (const other of ['A', 'B', '.', '=']) {
      const changed = sealed.slice(0, at) + other + sealed.slice(at + 1)
      if (changed !== sealed) t.throws(() => cipher.open(changed, CONTEXT), refused, changed)
    }
  }
})

test('throws if parts are cut, joined, swapped or missing', (t) => {
  const sealed = cipher.seal('segredo', CONTEXT)
  const [version, nonce = '', text = '', tag = ''] = sealed.split('.')
  const wrong = [
    '',
    'v1',
    'v1...',
    `v2.${nonce}.${text}.${tag}`,
    `${version}.${nonce}.${text}`,
    `${version}.${nonce}.${text}.`,
    `${version}.${nonce}.${text}.${tag.slice(0, 6)}`,
    `${version}.${nonce}.${text}.${tag.slice(0, 16)}`,
    `${version}.${nonce}..${tag}`,
    `${version}..${text}.${tag}`,
    `${version}.${tag}.${text}.${nonce}`,
    `${sealed}.`,
    `${sealed}.${tag}`,
    ` ${sealed}`,
    `${sealed}\n`,
    `${sealed}==`,
  ]
  for (const other of wrong) t.throws(() => cipher.open(other, CONTEXT), refused, other)
})

test('the error does not contain the text', (t) => {
  const error = t.throws(() => cipher.open(cipher.seal('segredo', 'a'), 'b'))
  t.false(JSON.stringify([error?.message, error?.cause ?? null]).includes('segredo'))
})

test('a digest depends on its text, its context and its key', (t) => {
  const mark = cipher.digest('135790', CONTEXT)
  t.regex(mark, /^[\w+/]{43}=$/)
  t.is(aesCipher(key).digest('135790', CONTEXT), mark)
  t.not(cipher.digest('135791', CONTEXT), mark)
  t.not(cipher.digest('135790', 'payments.accounts|13|smtpPassword'), mark)
  t.not(aesCipher(new Uint8Array(32).fill(8)).digest('135790', CONTEXT), mark)
  // Context and text are separated, and lone surrogates differ.
  t.not(cipher.digest('b', 'a'), cipher.digest('', 'ab'))
  t.not(cipher.digest('\ud800', ''), cipher.digest('\ud801', ''))
})

test('digests with HMAC-SHA-256 under an HKDF key', (t) => {
  const derived = hkdfSync('sha256', key, '', 'portico marks', 32)
  const text = JSON.stringify([CONTEXT, 'ação 🔐'])
  t.is(cipher.digest('ação 🔐', CONTEXT), createHmac('sha256', Buffer.from(derived)).update(text).digest('base64'))
})

test('throws for a key of another length', (t) => {
  for (const length of [0, 16, 31, 33]) t.throws(() => aesCipher(new Uint8Array(length)), { instanceOf: RangeError })
})

test('sha256 returns the known digests in lower-case hex', (t) => {
  t.is(digest.sha256(''), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  t.is(digest.sha256('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

test('hmacSha256 returns the digests of RFC 4231 in base64', (t) => {
  const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64')
  t.is(
    digest.hmacSha256(new Uint8Array(20).fill(0x0b), 'Hi There'),
    base64('b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7'),
  )
  t.is(
    digest.hmacSha256(Buffer.from('Jefe'), 'what do ya want for nothing?'),
    base64('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'),
  )
})

test('equal is true only for equal texts', (t) => {
  const text = anyText()
  fc.assert(fc.property(text, text, (a, b) => digest.equal(a, b) === (a === b) && digest.equal(a, a)))
  t.false(digest.equal('a', ''))
  t.false(digest.equal('abc', 'abcd'))
  t.false(digest.equal('\ud800', '\ud801'))
})
