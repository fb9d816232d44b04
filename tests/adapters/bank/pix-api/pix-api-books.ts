import { crc16 } from '../../../../core/payments/pix/br-code.ts'

/** A cob or a cobv, as the server keeps it: what it was asked for, and what became of it. */
export interface CobKept {
  readonly kind: 'cob' | 'cobv'
  readonly txid: string
  asked: Record<string, unknown>
  status: 'ATIVA' | 'CONCLUIDA' | 'REMOVIDA_PELO_USUARIO_RECEBEDOR' | 'REMOVIDA_PELO_PSP'
  revision: number
  readonly createdAt: string
}

/** A devolução, as the server keeps it. */
export interface RefundKept {
  readonly id: string
  readonly rtrId: string
  readonly valor: string
  readonly descricao?: string
  readonly horario: { readonly solicitacao: string; readonly liquidacao?: string }
  status: 'EM_PROCESSAMENTO' | 'DEVOLVIDO' | 'NAO_REALIZADO'
  motivo?: string
}

export interface PixKept {
  readonly endToEndId: string
  readonly txid?: string
  readonly valor: string
  readonly horario: string
  readonly chave: string
  devolucoes?: readonly RefundKept[]
}

/** An answer of the server. */
export interface Answered {
  readonly status: number
  readonly body?: unknown
}

export const problem = (
  status: number,
  type: string,
  detail: string,
  violations: readonly object[] = [],
): Answered => ({
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

/** The text that payers copy of a location. */
export const dynamicCode = (location: string): string => {
  const account = object('00', 'br.gov.bcb.pix') + object('25', location)
  const texts = [object('00', '01'), object('01', '12'), object('26', account), '52040000', '5303986', '5802BR']
  const unsigned = [...texts, object('59', 'Loja'), object('60', 'SAO PAULO'), '62070503***', '6304'].join('')
  return unsigned + crc16(unsigned)
}

const E2E_CHARS = 11

/** The books of one account of the bank, which does as the API's text says. */
export const pixApiBooks = (chave: string, now: () => Date) => {
  const cobs = new Map<string, CobKept>()
  const received: PixKept[] = []
  let webhook: { readonly webhookUrl: string; readonly criacao: string } | null = null
  let made = 0

  const shown = ({ kind, txid, asked, status, revision, createdAt }: CobKept, whole: boolean) => {
    const location = `pix.example.com/${kind === 'cobv' ? 'cobv/' : 'qr/'}${txid}`
    const calendario = { ...Object(asked.calendario), criacao: createdAt }
    const pix = received.filter((each) => each.txid === txid)
    const payee = {
      cnpj: '11222333000181',
      nome: 'Loja',
      logradouro: 'Rua 1',
      cidade: 'São Paulo',
      uf: 'SP',
      cep: '01001000',
    }
    return {
      ...asked,
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

  /** A time ahead of its own is as little right as one of another account. */
  const wrongOf = (kind: CobKept['kind'], asked: Record<string, unknown>): string | null => {
    const { original, desconto } = Object(asked.valor)
    const { expiracao = 1, dataDeVencimento = '9999-12-31' } = Object(asked.calendario)
    if (asked.chave !== chave) return 'cob.chave'
    if (Number(original) === 0) return 'cob.valor.original'
    if (kind === 'cob' && expiracao <= 0) return 'cob.calendario.expiracao'
    if (dataDeVencimento < now().toISOString().slice(0, 10)) return 'cobv.calendario.dataDeVencimento'
    const dates: readonly { readonly data: string }[] = Object(desconto).descontoDataFixa ?? []
    return dates.some(({ data }) => data > dataDeVencimento) ? 'cobv.valor.desconto' : null
  }

  const invalid = (kind: CobKept['kind'], propriedade: string) =>
    problem(400, kind === 'cob' ? 'CobOperacaoInvalida' : 'CobVOperacaoInvalida', 'A cobrança não respeita o schema.', [
      { razao: 'O valor não é válido.', propriedade },
    ])

  return {
    cobs,
    received,
    webhook: () => webhook,
    put(kind: CobKept['kind'], txid: string, asked: Record<string, unknown>): Answered {
      const wrong = wrongOf(kind, asked)
      const known = cobs.get(txid)
      if (wrong !== null) return invalid(kind, wrong)
      if (known && (known.kind !== kind || known.status !== 'ATIVA')) return invalid(kind, 'cob.txid')
      const cob = known ?? { kind, txid, asked, status: 'ATIVA', revision: -1, createdAt: now().toISOString() }
      cob.asked = asked
      cob.revision += 1
      cobs.set(txid, cob)
      return { status: 201, body: shown(cob, false) }
    },
    patch(kind: CobKept['kind'], txid: string, asked: Record<string, unknown>): Answered {
      const cob = cobs.get(txid)
      if (cob?.kind !== kind) return problem(404, 'CobNaoEncontrado', 'Cobrança não encontrada.')
      if (cob.status !== 'ATIVA') return invalid(kind, 'cob.status')
      if (asked.status) cob.status = 'REMOVIDA_PELO_USUARIO_RECEBEDOR'
      cob.asked = { ...cob.asked, calendario: { ...Object(cob.asked.calendario), ...Object(asked.calendario) } }
      cob.revision += 1
      return { status: 200, body: shown(cob, false) }
    },
    get(kind: CobKept['kind'], txid: string): Answered {
      const cob = cobs.get(txid)
      if (cob?.kind !== kind) return problem(404, 'CobNaoEncontrado', 'Cobrança não encontrada.')
      return { status: 200, body: shown(cob, true) }
    },
    pix(endToEndId: string): Answered {
      const pix = received.find((each) => each.endToEndId === endToEndId)
      return pix ? { status: 200, body: pix } : problem(404, 'PixNaoEncontrado', 'Pix não encontrado.')
    },
    refund(endToEndId: string, id: string): Answered {
      const found = received.find((each) => each.endToEndId === endToEndId)?.devolucoes?.find((each) => each.id === id)
      return found
        ? { status: 200, body: found }
        : problem(404, 'PixDevolucaoNaoEncontrada', 'Devolução não encontrada.')
    },
    /** An id is taken once, and no more goes back than came in. */
    putRefund(
      endToEndId: string,
      id: string,
      asked: { readonly valor?: string; readonly descricao?: string },
    ): Answered {
      const pix = received.find((each) => each.endToEndId === endToEndId)
      if (!pix) return problem(404, 'PixNaoEncontrado', 'Pix não encontrado.')
      const { devolucoes = [] } = pix
      const given = devolucoes.reduce((sum, each) => sum + Number(each.valor.replace('.', '')), 0)
      const cents = Number((asked.valor ?? '').replace('.', ''))
      const invalid = (razao: string) =>
        problem(400, 'PixDevolucaoInvalida', 'A devolução não respeita o schema.', [
          { razao, propriedade: 'devolucao.valor' },
        ])
      if (devolucoes.some((each) => each.id === id)) return invalid('O id já foi usado.')
      if (cents === 0 || given + cents > Number(pix.valor.replace('.', ''))) return invalid('O valor excede o Pix.')
      made += 1
      const at = now().toISOString()
      const refund: RefundKept = {
        id,
        rtrId: `D01181521${at.slice(0, 16).replace(/\D/g, '')}${String(made).padStart(E2E_CHARS, '0')}`,
        valor: asked.valor ?? '',
        ...(asked.descricao === undefined ? {} : { descricao: asked.descricao }),
        horario: { solicitacao: at, liquidacao: at },
        status: 'DEVOLVIDO',
      }
      pix.devolucoes = [...devolucoes, refund]
      return { status: 201, body: refund }
    },
    list(query: URLSearchParams): Answered {
      const [inicio, fim] = [query.get('inicio') ?? '', query.get('fim') ?? '']
      const page = Number(query.get('paginacao.paginaAtual') ?? 0)
      const items = Number(query.get('paginacao.itensPorPagina') ?? 100)
      const isIn = ({ horario }: PixKept) =>
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
    putWebhook(key: string, { webhookUrl }: { readonly webhookUrl?: string }): Answered {
      if (key !== chave || webhookUrl === undefined)
        return problem(400, 'WebhookOperacaoInvalida', 'A chave não é sua.')
      webhook = { webhookUrl, criacao: now().toISOString() }
      return { status: 200 }
    },
    /** Somebody's bank pays: a title where a txid names one, else the key alone. */
    receive(valueCents: number, over: Partial<PixKept> = {}): PixKept {
      made += 1
      const minute = now().toISOString().slice(0, 16).replace(/\D/g, '')
      const pix = {
        endToEndId: `E01181521${minute}${String(made).padStart(E2E_CHARS, '0')}`,
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
