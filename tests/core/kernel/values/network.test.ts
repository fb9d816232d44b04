import test from 'ava'
import { networkOf } from '../../../../core/kernel/values/network.ts'

const NETWORKS: Readonly<Record<string, string>> = {
  '203.0.113.7': '203.0.113.7',
  '': '',
  '::ffff:203.0.113.7': '203.0.113.7',
  '::FFFF:cb00:7107': '203.0.113.7',
  '::ffff:0:7': '0.0.0.7',
  '0:0:0:0:0:ffff:203.0.113.8': '203.0.113.8',
  '0000:0000:0000:0000:0000:ffff:cb00:7108': '203.0.113.8',
  '::1:ffff:cb00:7107': '0:0:0:0::/64',
  '2001:db8:0:1:2:3:4:5': '2001:db8:0:1::/64',
  '2001:0DB8:0000:0001:ffff::': '2001:db8:0:1::/64',
  '2001:db8:0:1::': '2001:db8:0:1::/64',
  '2001:db8::1': '2001:db8:0:0::/64',
  '2001:db8:0:2::1': '2001:db8:0:2::/64',
  '::1': '0:0:0:0::/64',
  '::': '0:0:0:0::/64',
  '64:ff9b::203.0.113.7': '64:ff9b:0:0::/64',
  'fe80::1%eth0': 'fe80:0:0:0::/64',
}

for (const [address, network] of Object.entries(NETWORKS))
  test(`${address || 'no address'} is of ${network || 'none'}`, (t) => t.is(networkOf(address), network))
