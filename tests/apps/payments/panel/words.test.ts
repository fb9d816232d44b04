import test from 'ava'
import { type Fault, FaultError } from '../../../../adapters/webhooks/exchange.ts'
import {
  auditedName,
  auditedText,
  faultText,
  hintForPeople,
  messageForPeople,
} from '../../../../apps/payments/panel/browser/words.ts'
import type { AnyField } from '../../../../core/kernel/input/field.ts'
import { fieldCodecs } from '../../../../core/kernel/records/record.ts'
import { keyFields } from '../../../../core/payments/access/named-key.ts'
import * as account from '../../../../core/payments/accounts/account.ts'
import { memberships } from '../../../../core/payments/members/membership.ts'
import { userFields, users } from '../../../../core/payments/members/user.ts'
import { ADMIN, permissionsOfApiKey } from '../../../../core/payments/payments-ports.ts'
import { receiverFields } from '../../../../core/payments/splits/split.ts'

/** Fields that no change sets, that follow from another one, or that name the record. */
const UNSEEN = /^(id|uuid|createdAt|updatedAt|accountId|userId|smtpToldAt|search)$/

/** Returns the fields of a part of a record, which may be null; null for a value. */
const partsOf = (codec: object): Readonly<Record<string, object>> | null => {
  const [present] = 'types' in codec && Array.isArray(codec.types) ? codec.types : [codec]
  return fieldCodecs(present)
}

/** Returns the paths of the fields of a record, as the audit names them. */
const pathsOf = (codec: object, before = ''): readonly string[] =>
  Object.entries(partsOf(codec) ?? {}).flatMap(([field, each]) =>
    partsOf(each) ? pathsOf(each, `${before}${field}.`) : [before + field],
  )

const DESCRIBED: readonly (readonly [before: string, fields: Readonly<Record<string, AnyField>>])[] = [
  ['', account.accountFields],
  ['', userFields],
  ['', keyFields],
  ['', receiverFields],
  ['address.', account.addressFields],
  ['smtp.', account.smtpFields],
  ['boletoConfigs.', account.boletoFields],
  ['taxes.', account.feeFields],
  ['limits.', account.limitFields],
  ['notificationRules.on_due.', account.ruleFields],
]

test('every field of an audited record has a name, that of the API where it describes the field', (t) => {
  const paths = [account.accounts, users, memberships].flatMap(({ codec }) => pathsOf(codec))
  const seen = [...paths.filter((path) => !UNSEEN.test(path)), 'successorId', 'passkeys.7.name', 'passkeys.7.counter']
  t.deepEqual(
    seen.filter((path) => auditedName(path) === null),
    [],
  )
  const differing = DESCRIBED.flatMap(([before, fields]) =>
    Object.entries(fields).flatMap(([field, { about }]) => {
      const name = auditedName(before + field)
        ?.split(' · ')
        .at(-1)
      return UNSEEN.test(field) || name === about?.split(/[,;:]/)[0] ? [] : [[field, name, about]]
    }),
  )
  t.deepEqual(differing, [])
  t.is(auditedName('notificationRules.on_due.days')?.split(' · ')[0], 'No dia do vencimento')
  t.is(auditedName('address.city'), 'Endereço · Cidade')
})

test('every coded value of an audited field has a name', (t) => {
  const coded = {
    permissions: permissionsOfApiKey(ADMIN.id),
    status: [account.accountFields.status.schema.enum ?? null, 0, 1].flat(),
    'notificationRules.on_due.channels': account.CHANNELS,
    roleId: [1, 2, 3, 4],
  }
  for (const [path, values] of Object.entries(coded))
    for (const value of values) t.not(auditedText(path, value), `${value}`, path)
  t.is(auditedText('limits.chargeMaxCents', 123_456), 'R$\u00a01.234,56')
  t.is(auditedText('taxes.feeHundredths', 150), '1,5')
  t.is(auditedText('emailVerifiedAt', '2026-11-23T13:05:09.123Z'), '23/11/2026, 10:05')
  t.is(auditedText('permissions', ['charges:read', 'clients:read']), 'Ver cobranças, Ver clientes')
  const empty = ['permissions', 'addresses', 'issuers'].map((field) => auditedText(field, []))
  t.deepEqual(empty, ['nada', 'qualquer lugar', 'qualquer uma'])
  t.deepEqual([auditedText('requiresSecondFactor', true), auditedText('phone', null)], ['sim', 'nada'])
})

test('no message names a parameter, and no hint a route', (t) => {
  const labels = { created_at_start: 'ao início do período', pin: 'ao PIN', password: 'à senha' }
  const sent = Object.keys(labels).map((other) => messageForPeople(`Deve ser igual a ${other}.`))
  t.deepEqual(
    sent,
    Object.values(labels).map((label) => `Deve ser igual ${label}.`),
  )
  t.is(messageForPeople('O período pode ter no máximo 45 dias.'), 'O período pode ter no máximo 45 dias.')
  t.is(hintForPeople('Peça outro código em POST /v1/auth/forgot-password.'), null)
  t.is(hintForPeople('Confira o valor.'), 'Confira o valor.')
})

test('shows every reason of a webhook without answer in Portuguese, without the hint for operators', (t) => {
  const faults: Readonly<Record<Fault, RegExp>> = {
    'bad url': /endereço não é válido/,
    'refused port': /porta/,
    'private address': /rede privada/,
    dns: /nome do servidor/,
    'connection refused': /recusou a conexão/,
    tls: /certificado/,
    timeout: /a tempo/,
    network: /interrompida/,
  }
  for (const [fault, text] of Object.entries(faults) as [Fault, RegExp][]) {
    const said = faultText(new FaultError(fault).message)
    t.regex(said, text)
    t.notRegex(said, /WEBHOOKS/)
  }
})
