import test from 'ava'
import fc from 'fast-check'
import { digest } from '../../../adapters/crypto/cipher.ts'

test('sha256 gives the known answers in lower-case hex', (t) => {
  t.is(digest.sha256(''), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  t.is(digest.sha256('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

test('hmacSha256 gives the known answers of RFC 4231 in base64', (t) => {
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

test('equal is true of equal texts and of no others, whatever their lengths', (t) => {
  const text = fc.string({ unit: 'binary' })
  fc.assert(fc.property(text, text, (a, b) => digest.equal(a, b) === (a === b) && digest.equal(a, a)))
  t.false(digest.equal('a', ''))
  t.false(digest.equal('abc', 'abcd'))
  t.false(digest.equal('\ud800', '\ud801'))
})
