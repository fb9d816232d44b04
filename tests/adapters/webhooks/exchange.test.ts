import test from 'ava'
import { type Fault, FaultError, faultOf } from '../../../adapters/webhooks/exchange.ts'

const coded = (code: string) => Object.assign(new Error('secret'), { code })

test('maps errors of the network to stable codes', (t) => {
  const known: Record<Fault, string[]> = {
    'bad url': [],
    'refused port': [],
    'private address': [],
    dns: ['ENOTFOUND', 'EAI_AGAIN', 'ENODATA'],
    'connection refused': ['ECONNREFUSED'],
    tls: [
      ...['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_TLS_CERT_ALTNAME_INVALID', 'CERT_HAS_EXPIRED'],
      ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    ],
    timeout: ['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'],
    network: ['ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_SOCKET', 'HPE_INVALID_CONSTANT', ''],
  }
  for (const [fault, codes] of Object.entries(known)) {
    for (const code of codes) t.is(faultOf(coded(code)), fault as Fault, code)
  }
})

test('keeps the fault of a FaultError, and maps any other error to network', (t) => {
  t.is(faultOf(new FaultError('private address')), 'private address')
  for (const error of [new Error('x'), new DOMException('', 'AbortError'), 'text', null, undefined, {}]) {
    t.is(faultOf(error), 'network')
  }
})
