import { t } from '../../../core/fp.ts'
import { allOptional, body } from '../../../core/kernel/input/body.ts'
import { nullIfAbsent } from '../../../core/kernel/input/codec.ts'
import { oneOf } from '../../../core/kernel/input/fields/choices.ts'
import { day } from '../../../core/kernel/input/fields/days.ts'
import { jsonObject } from '../../../core/kernel/input/fields/json.ts'
import { email, line, unmarked } from '../../../core/kernel/input/fields/texts.ts'
import { CLIENT_TYPES, type Client, clientView, GENDERS } from '../../../core/payments/customers/client.ts'
import { json, list } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { route } from '../api.ts'
import { shown } from '../shown.ts'
import { requestedPage, v1Page } from '../v1-page.ts'
import { clientExample, clientShape } from './client-shape.ts'

const area = 'Clientes'

const fields = {
  name: line({ max: 255 }),
  email: nullIfAbsent(email({ max: 255 })),
  phone: nullIfAbsent(line({ max: 20 })),
  document: nullIfAbsent(unmarked({ max: 20 })),
  type: nullIfAbsent(oneOf(CLIENT_TYPES)),
  gender: nullIfAbsent(oneOf(GENDERS)),
  birthdate: nullIfAbsent(day()),
  metadata: nullIfAbsent(jsonObject()),
}

const newClient = body(fields)
const clientChange = body(allOptional(fields))

/** Source: 01-access.md, v1 clients. */
export const clientRows: readonly AnyRow[] = [
  route({
    name: 'clients.list',
    area,
    summary: 'Lista os clientes da organização, do mais novo ao mais antigo',
    methods: ['GET'],
    paths: ['/v1/clients'],
    dialect: 'v1',
    auth: 'organization',
    permission: 'clients:read',
    input: { query: v1Page },
    output: clientShape,
    run: ({ core, actor, request }, { query }) => core.clients.list(actor, requestedPage(request, query)),
    reply: list<Client>({ key: 'clients', message: 'Clientes listados com sucesso.', view: clientView }),
    example: {
      given: 'client',
      reply: { code: 200, success: true, clients: [clientExample], message: 'Clientes listados com sucesso.' },
    },
  }),
  route({
    name: 'clients.create',
    area,
    summary: 'Cria um cliente na organização',
    methods: ['POST'],
    paths: ['/v1/clients'],
    dialect: 'v1',
    auth: 'organization',
    permission: 'clients:write',
    input: { body: newClient },
    output: clientShape,
    run: ({ core, actor }, { body: sent }) => core.clients.create(actor, sent),
    reply: json({ status: 201, key: 'client', message: 'Cliente criado com sucesso.', view: clientView }),
    example: {
      given: 'organization',
      request: {
        body: {
          name: 'Ana Souza',
          email: 'ana@example.com',
          phone: '11 98888-0000',
          document: '529.982.247-25',
          type: 'individual',
          gender: 'female',
          birthdate: '1990-02-28',
          metadata: { origem: 'loja' },
        },
      },
      reply: { code: 201, success: true, client: clientExample, message: 'Cliente criado com sucesso.' },
    },
  }),
  route({
    name: 'clients.show',
    area,
    summary: 'Mostra um cliente da organização',
    methods: ['GET'],
    paths: ['/v1/clients/:id'],
    dialect: 'v1',
    auth: 'organization',
    permission: 'clients:read',
    record: ({ core, actor, request }) => core.clients.read(actor, request.params.id ?? ''),
    input: {},
    output: clientShape,
    run: ({ record }) => shown(record),
    reply: json({ key: 'client', message: 'Cliente obtido com sucesso.', view: clientView }),
    errors: { 'record.missing': { status: 404, message: 'Cliente não encontrado.' } },
    example: {
      given: 'client',
      request: { params: { id: '1' } },
      reply: { code: 200, success: true, client: clientExample, message: 'Cliente obtido com sucesso.' },
    },
  }),
  route({
    name: 'clients.update',
    area,
    summary: 'Altera um cliente da organização',
    methods: ['PUT', 'PATCH'],
    paths: ['/v1/clients/:id'],
    dialect: 'v1',
    auth: 'organization',
    permission: 'clients:write',
    record: ({ core, actor, request }) => core.clients.read(actor, request.params.id ?? ''),
    input: { body: clientChange },
    output: clientShape,
    run: ({ core, actor, record }, { body: sent }) => core.clients.update(actor, record.id, sent),
    reply: json({ key: 'client', message: 'Cliente atualizado com sucesso.', view: clientView }),
    errors: { 'record.missing': { status: 404, message: 'Cliente não encontrado.' } },
    example: {
      given: 'client',
      request: { params: { id: '1' }, body: { phone: '11 98888-0000', document: '529.982.247-25' } },
      reply: { code: 200, success: true, client: clientExample, message: 'Cliente atualizado com sucesso.' },
    },
  }),
  route({
    name: 'clients.remove',
    area,
    summary: 'Remove um cliente da organização',
    methods: ['DELETE'],
    paths: ['/v1/clients/:id'],
    dialect: 'v1',
    auth: 'organization',
    permission: 'clients:write',
    record: ({ core, actor, request }) => core.clients.read(actor, request.params.id ?? ''),
    input: {},
    output: t.null,
    run: ({ core, actor, record }) => core.clients.remove(actor, record.id),
    reply: json({ message: 'Cliente removido com sucesso.' }),
    errors: { 'record.missing': { status: 404, message: 'Cliente não encontrado.' } },
    example: {
      given: 'client',
      request: { params: { id: '1' } },
      reply: { code: 200, success: true, message: 'Cliente removido com sucesso.' },
    },
  }),
]
