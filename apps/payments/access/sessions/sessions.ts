import { viewEach } from '../../../../core/kernel/input/view.ts'
import { sessionView } from '../../../../core/payments/access/own-sessions.ts'
import { json } from '../../../http/replies/json-reply.ts'
import type { AnyRow } from '../../../http/rows/row.ts'
import { route } from '../../api.ts'

const area = 'Sessões'

const sessionExample = {
  id: '9b2f6c1e-5d0a-4f6b-8a3c-2f1d7e9c4b10',
  device: 'dashboard',
  address: '203.0.113.7',
  current: true,
  created_at: '2030-11-21T10:05:09-03:00',
  last_used_at: '2030-11-21T10:05:09-03:00',
}

/** Where somebody is signed in, and how they end it from elsewhere: a telephone gets lost. */
export const sessionRows: readonly AnyRow[] = [
  route({
    name: 'sessions.list',
    area,
    summary: 'Lista as sessões abertas do usuário',
    methods: ['GET'],
    paths: ['/access/auth/sessions'],
    dialect: 'envelope',
    auth: 'session',
    input: {},
    run: ({ core, actor }) => core.sessions.list(actor),
    reply: json({ message: 'Sessões listadas com sucesso.', view: viewEach(sessionView) }),
    errors: { 'permission.lacking': {} },
    example: {
      given: 'dashboard',
      reply: { code: 200, success: true, data: [sessionExample], message: 'Sessões listadas com sucesso.' },
    },
  }),
  route({
    name: 'sessions.end',
    area,
    summary: 'Encerra uma sessão do usuário',
    methods: ['DELETE'],
    paths: ['/access/auth/sessions/:id'],
    dialect: 'envelope',
    auth: 'session',
    record: ({ core, actor, request }) => core.sessions.read(actor, request.params.id ?? ''),
    input: {},
    run: ({ core, actor, record }) => core.sessions.end(actor, record.id),
    reply: json({ message: 'Sessão encerrada com sucesso.' }),
    errors: { 'permission.lacking': {}, 'session.unknown': {} },
    example: {
      given: 'session',
      request: { params: { id: '9b2f6c1e-5d0a-4f6b-8a3c-2f1d7e9c4b10' } },
      reply: { code: 200, success: true, message: 'Sessão encerrada com sucesso.' },
    },
  }),
]
