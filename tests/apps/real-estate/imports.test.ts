// Also runs on MongoDB, in test:long.

import test from 'ava'
import { clients } from '../../../core/real-estate/records/people.ts'
import { properties } from '../../../core/real-estate/records/property.ts'
import { storedIn } from '../../core/real-estate/records.ts'
import {
  aBroker,
  aClient,
  aProperty,
  clientsOf,
  importing,
  madeLines,
  openAgency,
  wrongByLine,
} from './given/basics.ts'
import { type Answer, type EstateTestApi, type Person, worked, wrongIn } from './test-api.ts'

const PLACE = 'address.street;address.number;address.city;address.state;address.zipCode'
const AT = 'Rua das Flores;100;São Paulo;SP;01310-100'

const shown = (api: EstateTestApi, { token }: Person, path: string): Promise<Answer> => api.ask('GET', path, { token })

test('an imported property equals one that is posted alone', async (t) => {
  const { api, admin, ask, send } = await openAgency(t)
  const { id: owner } = await aClient(api, admin)
  const brokerId = (await aBroker(api, admin)).id
  const titles = `code;type;purpose;rentPrice;privateArea;bedrooms;images;description;ownerId;brokerId;${PLACE}`
  const photos = 'https://fotos.example/1.jpg | https://fotos.example/2.jpg'
  const lines = [titles, `CA-1;House;Lease;2500,50;60.5;3;${photos};"Casa; ""nova""";${owner};${brokerId};${AT}`]
  const answer = await send('properties/import', lines.join('\r\n'))
  t.deepEqual([answer.status, answer.body.created, answer.body.failed], [200, 1, 0])
  const [{ id, line }] = answer.body.lines
  t.is(line, 2)
  const posted = worked(
    await ask('POST', '/api/properties', {
      ...{ code: 'CA-2', type: 'House', purpose: 'Lease', rentPrice: 2500.5, privateArea: 60.5, bedrooms: 3 },
      images: ['https://fotos.example/1.jpg', 'https://fotos.example/2.jpg'],
      ...{ description: 'Casa; "nova"', ownerId: owner, brokerId },
      address: { street: 'Rua das Flores', number: '100', city: 'São Paulo', state: 'SP', zipCode: '01310-100' },
    }),
  )
  const imported = worked(await shown(api, admin, `/api/properties/${id}`))
  t.deepEqual(imported, { ...posted, id, code: 'CA-1' })
  // Both count for the owner, who cannot be removed.
  const [known] = (await api.every(clients)).filter((each) => each.id === owner)
  t.is(known?.ownedProperties, 2)
})

test('line numbers are those of the first line of a record, with any line ends; a BOM is ignored', async (t) => {
  const { api, send } = await openAgency(t)
  const titles = '\ufeffname,email,type,interest,notes'
  const of = (name: string, notes = '') => `${name},${name}@example.com,Individual,Lease,${notes}`
  const file = [titles, of('a', '"uma\r\nduas\ntrês"'), of('b'), '', ',,,,', of('', 'x'), of('c')]
  for (const end of ['\n', '\r\n']) {
    const answer = await send('clients/import', file.join(end))
    t.deepEqual(madeLines(answer), [2, 5, 9])
    t.deepEqual(wrongByLine(answer), { 8: ['name: required', 'email: email'] })
    t.deepEqual([answer.body.created, answer.body.failed], [3, 1])
  }
  const [multiline] = (await api.every(clients)).filter(({ name }) => name === 'a')
  t.is(multiline?.notes, 'uma\nduas\ntrês')
})

test('columns are field names without duplicates, and required ones are not missing', async (t) => {
  const { api, send } = await openAgency(t)
  const before = await api.everything()
  const wrong = async (file: string, path = 'clients/import') => {
    const answer = await send(path, file)
    t.is(answer.status, 400)
    t.is(answer.headers.get('content-type'), 'application/problem+json')
    return wrongIn(answer)
  }
  t.deepEqual(await wrong('name,email,type,interest,nome,name,telefone\n'), {
    nome: ['column.unknown'],
    telefone: ['column.unknown'],
    name: ['repeated'],
  })
  t.deepEqual(await wrong('name;address;email;preferences.maxPrice\na;b;c;1\n'), {
    address: ['column.unknown'],
    type: ['required'],
    interest: ['required'],
  })
  const all = ['code', 'type', 'purpose', 'ownerId', ...PLACE.split(';')]
  t.deepEqual(await wrong('', 'properties/import'), Object.fromEntries(all.map((name) => [name, ['required']])))
  t.deepEqual(await api.everything(), before)
  // A header alone is a file without lines.
  t.deepEqual((await send('clients/import', 'name,email,type,interest')).body, { created: 0, failed: 0, lines: [] })
})

test('refuses a whole file that is not a CSV in UTF-8 or Windows-1252', async (t) => {
  const { api, admin, send } = await openAgency(t)
  const before = await api.everything()
  const refused = async (body: string | Uint8Array, type = 'text/csv') => {
    const headers = { authorization: `Bearer ${admin.token}`, 'content-type': type }
    const { status, body: reply } = await api.wire({ method: 'POST', target: '/api/clients/import', headers, body })
    return [status, reply.code]
  }
  t.deepEqual(await refused(Buffer.from(clientsOf(1).replace('Cliente', 'José'), 'utf16le')), [400, 'csv.malformed'])
  t.deepEqual(await refused(clientsOf(1), 'text/csv; charset=utf-16'), [415, 'body.unsupported'])
  t.deepEqual(await refused(clientsOf(1), 'application/json'), [415, 'body.unsupported'])
  t.deepEqual(await refused(`${clientsOf(2)}\n"x`), [400, 'import.malformed'])
  t.deepEqual(await refused(`${clientsOf(1)}\n${'x'.repeat(10 * 1_048_576)}`), [413, 'body.too-large'])
  const { body } = await send('clients/import', `${clientsOf(2)}\na"b,c,d,e`)
  t.true(body.detail.includes('linha 4'), body.detail)
  t.deepEqual(await api.everything(), before)
})

test('a cell is a text: no formula, no JSON, and no character that stores refuse', async (t) => {
  const { api, send } = await openAgency(t)
  const texts = ['=1+1', '@SUM(A1)', '{"$ne":null}', '__proto__', 'a\0b', '\u202eevil', '1.500', '+55']
  const of = (name: string, price: string) => `${name};a@example.com;Individual;Lease;${price}`
  const file = [
    'name;email;type;interest;preferences.maxPrice',
    ...texts.map((text) => of(`"${text.replaceAll('"', '""')}"`, '')),
    ...['1.500', '1,50,00', '1e3', '=1', '1234,567', '-1', '1500', '1500,5', '1500.50'].map((price) => of('a', price)),
    `${of('b', '')};além`,
    of('c', '').slice(0, -1),
  ]
  const answer = await send('clients/import', file.join('\n'))
  t.deepEqual(wrongByLine(answer), {
    6: ['name: text.malformed'],
    7: ['name: text.direction'],
    ...Object.fromEntries([10, 11, 12, 13].map((line) => [line, ['preferences.maxPrice: column.number']])),
    14: ['preferences.maxPrice: money.decimals'],
    15: ['preferences.maxPrice: money.min'],
    19: ['#6: column.unknown'],
  })
  const names = new Set((await api.every(clients)).map(({ name }) => name))
  for (const text of ['=1+1', '@SUM(A1)', '{"$ne":null}', '__proto__', '+55']) t.true(names.has(text), text)
})

test('unique values are checked against the store and earlier lines, per company', async (t) => {
  const { api, admin, send } = await openAgency(t)
  const other = await api.agency()
  const [{ id: owner }, { id: otherOwner }] = [await aClient(api, admin), await aClient(api, other)]
  await aProperty(api, admin, { code: 'CA-1', ownerId: owner })
  const of = (code: string, ownerId: string, more = 'Lease;1') => `${code};House;${more};${ownerId};${AT}`
  const fileOf = (own: string, foreign: string) => [
    `code;type;purpose;rentPrice;ownerId;${PLACE}`,
    of('CA-1', own),
    of('CA-2', own, 'Lease;'),
    of('CA-2', own),
    of('CA-2', own),
    of('CA-3', foreign),
    of('CA-2', foreign),
  ]
  const answer = await send('properties/import', fileOf(owner, otherOwner).join('\n'))
  t.deepEqual(madeLines(answer), [4])
  t.deepEqual(wrongByLine(answer), {
    2: ['code: property.code.taken'],
    // A failed line takes no unique value.
    3: ['rentPrice: required'],
    5: ['code: property.code.taken'],
    6: ['ownerId: unknown'],
    7: ['code: property.code.taken', 'ownerId: unknown'],
  })
  const theirs = await importing(api, other)('properties/import', fileOf(otherOwner, owner).join('\n'))
  t.deepEqual(madeLines(theirs), [2, 4])
  const companies = (await api.every(properties)).map(({ companyId }) => companyId)
  t.deepEqual([...new Set(companies)].sort(), [admin.companyId, other.companyId].sort())
  t.is((await shown(api, admin, `/api/properties/${theirs.body.lines[0].id}`)).status, 404)
})

test('a file of a Brazilian Excel is imported: Windows-1252, points in thousands, owners by document', async (t) => {
  const { api, admin, clientOf } = await openAgency(t)
  const [person, firm] = [
    await clientOf({ taxId: '12345678909' }),
    await clientOf({ taxId: '11222333000181', type: 'Company' }),
  ]
  await storedIn(api, await api.agency()).clientOf({ taxId: '98765432100' })
  const of = (code: string, price: string, owner: string) => `${code};House;Lease;${price};${owner};${AT}`
  const file = [
    `code;type;purpose;rentPrice;ownerId;${PLACE}`,
    of('CA-1', '2.500,00', '123.456.789-09'),
    of('CA-2', '2500,00', '12345678909'),
    of('CA-3', 'R$ 1.002.500,75', '11.222.333/0001-81'),
    of('CA-4', '2,500.50', ' 11222333000181 '),
    of('CA-5', '2.500', '987.654.321-00'),
    of('CA-6', '1', '123.456.789-00'),
  ].join('\r\n')
  for (const [at, bytes, type] of [
    [0, Buffer.from(file, 'latin1'), 'text/csv'],
    [1, Buffer.from(file.replaceAll('CA-', 'CB-'), 'latin1'), 'text/csv; charset=windows-1252'],
    [2, Buffer.from(file.replaceAll('CA-', 'CC-')), 'text/csv; charset=utf-8'],
  ] as const) {
    const headers = { authorization: `Bearer ${admin.token}`, 'content-type': type }
    const answer = await api.wire({ method: 'POST', target: '/api/properties/import', headers, body: bytes })
    t.is(answer.status, 200)
    t.deepEqual(wrongByLine(answer as unknown as Answer), {
      6: ['rentPrice: column.number', 'ownerId: reference.unknown'],
      7: ['ownerId: reference.document'],
    })
    const made = (await api.every(properties)).slice(-4)
    t.is((await api.every(properties)).length, 4 * (at + 1))
    t.deepEqual(new Set(made.map(({ address }) => (address as { city: string }).city)), new Set(['São Paulo']))
  }
  const first = (await api.every(properties)).filter(({ code }) => `${code}`.startsWith('CA-'))
  const byCode = Object.fromEntries(first.map(({ code, rentPriceCents, ownerId }) => [code, [rentPriceCents, ownerId]]))
  t.deepEqual(byCode, {
    'CA-1': [250_000, person.id],
    'CA-2': [250_000, person.id],
    'CA-3': [100_250_075, firm.id],
    'CA-4': [250_050, firm.id],
  })
})

test('a dry run returns the result of an import and stores nothing', async (t) => {
  const { api, send } = await openAgency(t)
  const taxId = '123.456.789-09'
  // The second one is taken by a line of an earlier batch.
  const file = clientsOf(120)
    .split('\n')
    .map((line, at) => `${line},${at === 0 ? 'taxId' : [2, 110].includes(at) ? taxId : ''}`)
  const before = await api.everything()
  const tried = await send('clients/import?dryRun=true', file.join('\n'))
  const all = await send('clients/import?dryRun=true&atomic=true', file.slice(0, 100).join('\n'))
  const none = await send('clients/import?dryRun=true&atomic=true', file.join('\n'))
  const misspelt = await send('clients/import?dryrun=true&ATOMIC=true', file.join('\n'))
  t.is(misspelt.status, 400)
  t.deepEqual(misspelt.body.errors.map(({ field }: Answer['body']) => field).toSorted(), ['ATOMIC', 'dryrun'])
  t.deepEqual(await api.everything(), before)
  const real = await send('clients/import', file.join('\n'))
  t.deepEqual([tried.body.created, tried.body.failed], [119, 1])
  t.deepEqual([tried.status, wrongByLine(tried)], [200, { 111: ['taxId: client.taxId.taken'] }])
  t.deepEqual([all.body.created, none.body.created, wrongByLine(none)], [99, 0, wrongByLine(tried)])
  t.deepEqual(real.body, { ...tried.body, lines: real.body.lines })
  t.deepEqual(
    real.body.lines.map(({ id: _, ...each }: Answer['body']) => each),
    tried.body.lines,
  )
})
