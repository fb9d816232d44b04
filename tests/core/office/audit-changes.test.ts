import test from 'ava'
import { fieldComparer } from '../../../core/office/audit-changes.ts'

const changesOf = fieldComparer({ secrets: ['pin', 'smtp.pass'], ignored: ['notifiedAt'] })

test('lists the old and new value of changed fields only', (t) => {
  const before = { name: 'Ana', email: null, status: 1, updatedAt: 'a', notifiedAt: null, tags: ['a'] }
  t.deepEqual(
    changesOf(before, { name: 'Ana', email: 'ana@example.com', phone: undefined, updatedAt: 'b', notifiedAt: 'b' }),
    {
      email: { from: null, to: 'ana@example.com' },
    },
  )
  t.deepEqual(changesOf(before, { status: 0, tags: ['a', 'b'] }), {
    status: { from: 1, to: 0 },
    tags: { from: ['a'], to: ['a', 'b'] },
  })
  t.deepEqual(changesOf({}, { name: 'Ana', phone: null }), { name: { from: null, to: 'Ana' } })
})

test('compares objects field by field, also if one of them is null', (t) => {
  const limits = { minCents: 1, maxCents: null }
  t.deepEqual(changesOf({ limits }, { limits: { minCents: 1, maxCents: 9 } }), {
    'limits.maxCents': { from: null, to: 9 },
  })
  t.deepEqual(changesOf({ limits }, { limits: null }), { 'limits.minCents': { from: 1, to: null } })
  t.deepEqual(changesOf({ limits: null }, { limits }), { 'limits.minCents': { from: null, to: 1 } })
})

test('names a changed secret without its value, at any depth', (t) => {
  const secret = 'segredo'
  const names = ['passwordHash', 'pinHash', 'pin', 'newPassword', 'apiKeySealed', 'apiKey', 'token', 'webhookSecret']
  for (const name of names) t.deepEqual(changesOf({ [name]: 'old' }, { [name]: secret }), { [name]: '***' })
  const smtp = { host: 'smtp.example.com', password: secret, pass: secret, passwordSealed: { cipher: secret } }
  const changes = changesOf({ smtp: null }, { smtp })
  t.deepEqual(changes, {
    'smtp.host': { from: null, to: 'smtp.example.com' },
    'smtp.password': '***',
    'smtp.pass': '***',
    'smtp.passwordSealed': '***',
  })
  t.deepEqual(changesOf({ pinHash: secret }, { pinHash: secret }), {})
  t.deepEqual(changesOf({ pixKey: 'a' }, { pixKey: 'b' }), { pixKey: { from: 'a', to: 'b' } })
})
