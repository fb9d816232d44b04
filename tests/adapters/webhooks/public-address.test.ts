import test from 'ava'
import fc from 'fast-check'
import { isPublicAddress } from '../../../adapters/webhooks/target.ts'

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '223.255.255.255',
  '2001:4860:4860::8888',
  '2606:4700:4700::1111',
  '2804:14c::1',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
]
const SPECIAL = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.255',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::8.8.8.8',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:169.254.169.254',
  '::ffff:0:8.8.8.8',
  '64:ff9b::127.0.0.1',
  '64:ff9b::10.0.0.1',
  '64:ff9b:1::8.8.8.8',
  '100::1',
  '2001::1',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:db8::1',
  '2002:7f00:1::1',
  '2002:808:808::1',
  '3fff::1',
  '4000::1',
  '5f00::1',
  'fc00::1',
  'fd00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
]

test('addresses of the public internet are public', (t) => {
  for (const address of PUBLIC) t.true(isPublicAddress(address), address)
})

test('addresses with a special purpose are not', (t) => {
  for (const address of SPECIAL) t.false(isPublicAddress(address), address)
})

test('what is no address is not', (t) => {
  for (const text of [
    '',
    'localhost',
    'example.com',
    '[::1]',
    '1.1.1.1/8',
    '1.1.1.1.1',
    '8.8.8.8 ',
    '::g',
    '8.8',
    '010.8.8.8',
    '0x8.8.8.8',
    '134744072',
  ]) {
    t.false(isPublicAddress(text), text)
  }
})

test('an IPv4 address inside IPv6 is judged as itself', (t) => {
  const judgedAlike = fc.property(fc.ipV4(), (address) => {
    const alone = isPublicAddress(address)
    return alone === isPublicAddress(`::ffff:${address}`) && alone === isPublicAddress(`64:ff9b::${address}`)
  })
  t.notThrows(() => fc.assert(judgedAlike, { numRuns: 1000 }))
})
