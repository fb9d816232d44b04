import { crc16 } from '../../../../core/payments/pix/br-code.ts'

/** A stored cob or cobv. */
export interface StoredCob {
  readonly kind: 'cob' | 'cobv'
  readonly txid: string
  order: Record<string, unknown>
  status: 'ATIVA' | 'CONCLUIDA' | 'REMOVIDA_PELO_USUARIO_RECEBEDOR' | 'REMOVIDA_PELO_PSP'
  revision: number
  readonly createdAt: string
}

/** A stored devolução. */
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

/** An answer of the server. */
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

/** Builds the Pix code of a location. */
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

  /** The first field that violates the rules of the API. */
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
