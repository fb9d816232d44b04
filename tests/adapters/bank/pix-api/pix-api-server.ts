import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { join } from 'node:path'
import type { PixApiSettings } from '../../../../adapters/bank/pix-api/mod.ts'
import { crc16 } from '../../../../core/payments/pix/br-code.ts'
import { listening } from '../../../listening.ts'
import { ROOT } from '../../../root.ts'
import { type ApiRequest, answerFaults, requestFaults } from './pix-api-document.ts'

export const PIX_KEY = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906'
const CREDENTIALS = { clientId: 'portico', clientSecret: 'segredo do cliente' }

const pemPath = (name: string): string => join(ROOT, 'tests/fixtures/pix-api', name)
export const pem = (name: string): string => readFileSync(pemPath(name), 'utf8')

const CLIENT_TLS = { cert: pem('client.crt'), key: pem('client.key'), ca: pem('ca.crt') }

/** A fault of the next matching requests. */
export interface Fault {
  /** The beginning of `METHOD /path`. */
  readonly of: string
  readonly times?: number
  readonly acts?: boolean
  /** `hang` never answers, `drop` ends the connection; else the answer, or a change of it. */
  readonly answer: 'hang' | 'drop' | { readonly status: number; readonly text?: string } | ((body: unknown) => unknown)
}

const BASE = '/api/v2'
const TOKEN = '/oauth/token'

/** A bank's API Pix over mutual TLS. It checks every request and answer against the document of the API. */
export const openPixApiServer = async (now: () => Date = () => new Date()) => {
  const books = pixApiBooks(PIX_KEY, now)
  /** `METHOD /path` of every request, token requests included. */
  const requests: string[] = []
  /** `traceparent` and `tracestate` of each request, if any. */
  const traces: (string | undefined)[] = []
  /** Violations of the document of the API, by requests or answers. Tests expect none. */
  const violations: string[] = []
  const faults: { fault: Fault; left: number }[] = []
  const tokens = new Set<string>()
  let issued = 0
  const nextFault = (name: string): Fault | null => {
    const found = faults.find(({ fault, left }) => left > 0 && name.startsWith(fault.of))
    if (found) found.left -= 1
    return found?.fault ?? null
  }
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '', 'https://localhost')
    const text = await bodyOf(request)
    const path = url.pathname === TOKEN ? TOKEN : url.pathname.replace(BASE, '')
    const name = `${request.method} ${path}`
    requests.push(name)
    const { traceparent, tracestate } = request.headers
    traces.push(traceparent && `${traceparent} ${tracestate}`)
    const fault = nextFault(name)
    const token = () => {
      issued += 1
      tokens.add(`token-${issued}`)
      return `token-${issued}`
    }
    const act = (): ServerAnswer => {
      if (path === TOKEN) return tokenAnswer(request, text, token)
      if (!tokens.has((request.headers.authorization ?? '').replace('Bearer ', ''))) return { status: 401 }
      const received: ApiRequest = { method: request.method ?? '', path, query: url.searchParams, body: jsonOf(text) }
      violations.push(...requestFaults(received))
      const answer = answerTo(books, received)
      violations.push(...answerFaults(received, answer.status, typeOf(answer), answer.body))
      return answer
    }
    send(response, fault, fault === null || fault.acts || typeof fault.answer === 'function' ? act() : null)
  }
  const tls = { cert: pem('server.crt'), key: pem('server.key'), ca: pem('ca.crt') }
  const server = createServer({ ...tls, requestCert: true, rejectUnauthorized: true }, (request, response) => {
    serve(request, response).catch((error: unknown) => {
      violations.push(String(error))
      response.destroy()
    })
  })
  const { port, close } = await listening(server)
  const origin = `https://localhost:${port}`
  const [url, tokenUrl] = [`${origin}${BASE}`, `${origin}${TOKEN}`]
  const settings: PixApiSettings = { url, tokenUrl, ...CREDENTIALS, ...CLIENT_TLS, pixKey: PIX_KEY }
  return {
    ...{ books, requests, traces, violations, settings },
    env: {
      BANK: 'pix-api',
      PIX_API_URL: url,
      PIX_API_TOKEN_URL: tokenUrl,
      PIX_API_CLIENT_ID: CREDENTIALS.clientId,
      PIX_API_CLIENT_SECRET: CREDENTIALS.clientSecret,
      PIX_API_CERT: pemPath('client.crt'),
      PIX_API_KEY: pemPath('client.key'),
      PIX_API_CA: pemPath('ca.crt'),
      PIX_KEY,
    },
    fail: (fault: Fault) => void faults.push({ fault, left: fault.times ?? 1 }),
    revoke: () => tokens.clear(),
    close,
  }
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

const jsonOf = (text: string): unknown => (text === '' ? undefined : JSON.parse(text))

/** The client credentials grant of OAuth 2 (RFC 6749). */
const tokenAnswer = ({ method, headers }: IncomingMessage, text: string, token: () => string): ServerAnswer => {
  const basic = Buffer.from(`${CREDENTIALS.clientId}:${CREDENTIALS.clientSecret}`).toString('base64')
  const form = new URLSearchParams(text)
  const isOurs = method === 'POST' && headers.authorization === `Basic ${basic}`
  if (!isOurs || form.get('grant_type') !== 'client_credentials' || !form.get('scope')?.includes('cob.write'))
    return { status: 401, body: { error: 'invalid_client' } }
  return { status: 200, body: { access_token: token(), token_type: 'Bearer', expires_in: 3_600 } }
}

const answerTo = (books: PixApiBooks, { method, path, query, body }: ApiRequest): ServerAnswer => {
  const [, room = '', id = '', part = '', partId = ''] = path.split('/').map(decodeURIComponent)
  const sent = Object(body)
  if (room === 'cob' || room === 'cobv') {
    if (method === 'PUT') return books.put(room, id, sent)
    return method === 'PATCH' ? books.patch(room, id, sent) : books.get(room, id)
  }
  if (room === 'pix' && part === 'devolucao')
    return method === 'PUT' ? books.putRefund(id, partId, sent) : books.refund(id, partId)
  if (room === 'pix') return id === '' ? books.list(query) : books.pix(id)
  if (room === 'webhook' && method === 'PUT') return books.putWebhook(id, sent)
  return problem(404, 'NaoEncontrado', 'Entidade não encontrada.')
}

const typeOf = ({ status }: ServerAnswer): string => (status < 400 ? 'application/json' : 'application/problem+json')

const send = (response: ServerResponse, fault: Fault | null, done: ServerAnswer | null): void => {
  const answer = fault?.answer ?? null
  if (answer === 'hang') return
  if (answer === 'drop') return void response.destroy()
  if (answer !== null && typeof answer === 'object') {
    response.writeHead(answer.status, { 'content-type': 'text/html' }).end(answer.text ?? '')
    return
  }
  const { status, body } = done ?? { status: 500, body: undefined }
  const sent = answer === null ? body : answer(body)
  response.writeHead(status, { 'content-type': typeOf({ status }) })
  response.end(sent === undefined ? '' : JSON.stringify(sent))
}

export interface StoredCob {
  readonly kind: 'cob' | 'cobv'
  readonly txid: string
  order: Record<string, unknown>
  status: 'ATIVA' | 'CONCLUIDA' | 'REMOVIDA_PELO_USUARIO_RECEBEDOR' | 'REMOVIDA_PELO_PSP'
  revision: number
  readonly createdAt: string
}

export interface StoredRefund {
  readonly id: string
  readonly rtrId: string
  readonly valor: string
  readonly descricao?: string
  readonly horario: { readonly solicitacao: string; readonly liquidacao?: string }
  status: 'EM_PROCESSAMENTO' | 'DEVOLVIDO' | 'NAO_REALIZADO'
  motivo?: string
}

export interface StoredPix {
  readonly endToEndId: string
  readonly txid?: string
  readonly valor: string
  readonly horario: string
  readonly chave: string
  devolucoes?: readonly StoredRefund[]
}

export interface ServerAnswer {
  readonly status: number
  readonly body?: unknown
}

export const problem = (
  status: number,
  type: string,
  detail: string,
  violations: readonly object[] = [],
): ServerAnswer => ({
  status,
  body: {
    type: `https://pix.bcb.gov.br/api/v2/error/${type}`,
    title: type,
    status,
    detail,
    ...(violations.length > 0 ? { violacoes: violations } : {}),
  },
})

const object = (id: string, value: string): string => `${id}${String(value.length).padStart(2, '0')}${value}`

const dynamicCode = (location: string): string => {
  const account = object('00', 'br.gov.bcb.pix') + object('25', location)
  const texts = [object('00', '01'), object('01', '12'), object('26', account), '52040000', '5303986', '5802BR']
  const unsigned = [...texts, object('59', 'Loja'), object('60', 'SAO PAULO'), '62070503***', '6304'].join('')
  return unsigned + crc16(unsigned)
}

const E2E_CHARS = 11

/** The books of one account at the bank, by the rules of the API. */
export const pixApiBooks = (chave: string, now: () => Date) => {
  const cobs = new Map<string, StoredCob>()
  const received: StoredPix[] = []
  let webhook: { readonly webhookUrl: string; readonly criacao: string } | null = null
  let count = 0

  const viewOf = ({ kind, txid, order, status, revision, createdAt }: StoredCob, whole: boolean) => {
    const location = `pix.example.com/${kind === 'cobv' ? 'cobv/' : 'qr/'}${txid}`
    const calendario = { ...Object(order.calendario), criacao: createdAt }
    const pix = received.filter((pix) => pix.txid === txid)
    const place = { logradouro: 'Rua 1', cidade: 'São Paulo', uf: 'SP', cep: '01001000' }
    const payee = { cnpj: '11222333000181', nome: 'Loja', ...place }
    return {
      ...order,
      txid,
      status,
      revisao: revision,
      calendario: kind === 'cob' ? { expiracao: 86_400, ...calendario } : { validadeAposVencimento: 30, ...calendario },
      location,
      pixCopiaECola: dynamicCode(location),
      ...(kind === 'cobv' ? { recebedor: payee } : {}),
      ...(whole && pix.length > 0 ? { pix } : {}),
    }
  }

  const findInvalidField = (kind: StoredCob['kind'], order: Record<string, unknown>): string | null => {
    const { original, desconto } = Object(order.valor)
    const { expiracao = 1, dataDeVencimento = '9999-12-31' } = Object(order.calendario)
    if (order.chave !== chave) return 'cob.chave'
    if (Number(original) === 0) return 'cob.valor.original'
    if (kind === 'cob' && expiracao <= 0) return 'cob.calendario.expiracao'
    if (dataDeVencimento < now().toISOString().slice(0, 10)) return 'cobv.calendario.dataDeVencimento'
    const dates: readonly { readonly data: string }[] = Object(desconto).descontoDataFixa ?? []
    return dates.some(({ data }) => data > dataDeVencimento) ? 'cobv.valor.desconto' : null
  }

  const invalid = (kind: StoredCob['kind'], propriedade: string) =>
    problem(400, kind === 'cob' ? 'CobOperacaoInvalida' : 'CobVOperacaoInvalida', 'A cobrança não respeita o schema.', [
      { razao: 'O valor não é válido.', propriedade },
    ])

  return {
    cobs,
    received,
    webhook: () => webhook,
    put(kind: StoredCob['kind'], txid: string, order: Record<string, unknown>): ServerAnswer {
      const wrong = findInvalidField(kind, order)
      const known = cobs.get(txid)
      if (wrong !== null) return invalid(kind, wrong)
      if (known && (known.kind !== kind || known.status !== 'ATIVA')) return invalid(kind, 'cob.txid')
      const cob = known ?? { kind, txid, order, status: 'ATIVA', revision: -1, createdAt: now().toISOString() }
      cob.order = order
      cob.revision += 1
      cobs.set(txid, cob)
      return { status: 201, body: viewOf(cob, false) }
    },
    patch(kind: StoredCob['kind'], txid: string, order: Record<string, unknown>): ServerAnswer {
      const cob = cobs.get(txid)
      if (cob?.kind !== kind) return problem(404, 'CobNaoEncontrado', 'Cobrança não encontrada.')
      if (cob.status !== 'ATIVA') return invalid(kind, 'cob.status')
      if (order.status) cob.status = 'REMOVIDA_PELO_USUARIO_RECEBEDOR'
      cob.order = { ...cob.order, calendario: { ...Object(cob.order.calendario), ...Object(order.calendario) } }
      cob.revision += 1
      return { status: 200, body: viewOf(cob, false) }
    },
    get(kind: StoredCob['kind'], txid: string): ServerAnswer {
      const cob = cobs.get(txid)
      if (cob?.kind !== kind) return problem(404, 'CobNaoEncontrado', 'Cobrança não encontrada.')
      return { status: 200, body: viewOf(cob, true) }
    },
    pix(endToEndId: string): ServerAnswer {
      const pix = received.find((pix) => pix.endToEndId === endToEndId)
      return pix ? { status: 200, body: pix } : problem(404, 'PixNaoEncontrado', 'Pix não encontrado.')
    },
    refund(endToEndId: string, id: string): ServerAnswer {
      const found = received
        .find((pix) => pix.endToEndId === endToEndId)
        ?.devolucoes?.find((refund) => refund.id === id)
      return found
        ? { status: 200, body: found }
        : problem(404, 'PixDevolucaoNaoEncontrada', 'Devolução não encontrada.')
    },
    /** Accepts an id once, and refunds up to the amount of the Pix. */
    putRefund(
      endToEndId: string,
      id: string,
      order: { readonly valor?: string; readonly descricao?: string },
    ): ServerAnswer {
      const pix = received.find((pix) => pix.endToEndId === endToEndId)
      if (!pix) return problem(404, 'PixNaoEncontrado', 'Pix não encontrado.')
      const { devolucoes = [] } = pix
      const refunded = devolucoes.reduce((sum, { valor }) => sum + Number(valor.replace('.', '')), 0)
      const cents = Number((order.valor ?? '').replace('.', ''))
      const invalid = (razao: string) =>
        problem(400, 'PixDevolucaoInvalida', 'A devolução não respeita o schema.', [
          { razao, propriedade: 'devolucao.valor' },
        ])
      if (devolucoes.some((refund) => refund.id === id)) return invalid('O id já foi usado.')
      if (cents === 0 || refunded + cents > Number(pix.valor.replace('.', ''))) return invalid('O valor excede o Pix.')
      count += 1
      const at = now().toISOString()
      const refund: StoredRefund = {
        id,
        rtrId: `D01181521${at.slice(0, 16).replace(/\D/g, '')}${String(count).padStart(E2E_CHARS, '0')}`,
        valor: order.valor ?? '',
        ...(order.descricao === undefined ? {} : { descricao: order.descricao }),
        horario: { solicitacao: at, liquidacao: at },
        status: 'DEVOLVIDO',
      }
      pix.devolucoes = [...devolucoes, refund]
      return { status: 201, body: refund }
    },
    list(query: URLSearchParams): ServerAnswer {
      const [inicio, fim] = [query.get('inicio') ?? '', query.get('fim') ?? '']
      const page = Number(query.get('paginacao.paginaAtual') ?? 0)
      const items = Number(query.get('paginacao.itensPorPagina') ?? 100)
      const isIn = ({ horario }: StoredPix) =>
        Date.parse(horario) >= Date.parse(inicio) && Date.parse(horario) <= Date.parse(fim)
      const all = received.filter(isIn)
      const paginacao = {
        paginaAtual: page,
        itensPorPagina: items,
        quantidadeDePaginas: Math.max(1, Math.ceil(all.length / items)),
        quantidadeTotalDeItens: all.length,
      }
      return {
        status: 200,
        body: { parametros: { inicio, fim, paginacao }, pix: all.slice(page * items, (page + 1) * items) },
      }
    },
    putWebhook(key: string, { webhookUrl }: { readonly webhookUrl?: string }): ServerAnswer {
      if (key !== chave || webhookUrl === undefined)
        return problem(400, 'WebhookOperacaoInvalida', 'A chave não é sua.')
      webhook = { webhookUrl, criacao: now().toISOString() }
      return { status: 200 }
    },
    /** Receives a Pix for the key, which pays a title if it has a txid. */
    receive(valueCents: number, over: Partial<StoredPix> = {}): StoredPix {
      count += 1
      const minute = now().toISOString().slice(0, 16).replace(/\D/g, '')
      const pix = {
        endToEndId: `E01181521${minute}${String(count).padStart(E2E_CHARS, '0')}`,
        valor: `${Math.trunc(valueCents / 100)}.${String(valueCents % 100).padStart(2, '0')}`,
        horario: now().toISOString(),
        chave,
        ...over,
      }
      received.push(pix)
      const cob = cobs.get(pix.txid ?? '')
      if (cob?.status === 'ATIVA') cob.status = 'CONCLUIDA'
      return pix
    },
  }
}

export type PixApiBooks = ReturnType<typeof pixApiBooks>
