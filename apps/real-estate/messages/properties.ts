import type { Part } from './codes.ts'

const CODE_TAKEN = 'Já existe um imóvel com este código.'

/** What is told of properties. Source: 03-real-estate.md, Properties; decisions.md §6 and §10. */
export const propertyMessages = {
  failures: {
    'property.unknown': { status: 404, message: 'Imóvel não encontrado.' },
    'property.code.taken': { status: 409, message: CODE_TAKEN },
    'property.in-use': {
      status: 400,
      message: 'O imóvel não pode ser excluído: tem contratos ativos, propostas em aberto ou visitas por vir.',
    },
    'property.move': { status: 422, message: 'O imóvel não pode passar da situação em que está para esta.' },
    'property.purpose': { status: 422, message: 'A finalidade do imóvel não permite esta situação.' },
    'property.owner.let': {
      status: 403,
      message: 'Só um administrador muda o proprietário de um imóvel com contrato ativo ou locação em curso.',
    },
    'property.leased': { status: 422, message: 'O imóvel tem uma locação ativa.' },
  },
  issues: { 'property.code.taken': CODE_TAKEN },
} satisfies Part

/** What is told of the feed for portals. */
export const feedMessages = {
  failures: { 'feed.unknown': { status: 404, message: 'Feed não encontrado.' } },
  issues: {},
} satisfies Part

/** What is told of files that are imported. */
export const importMessages = {
  failures: {
    'import.malformed': {
      status: 400,
      message:
        'O CSV não pode ser lido a partir da linha {reason}: há aspas fora de lugar, ou a linha é grande demais.',
    },
    'import.too-long': { status: 400, message: 'O CSV tem linhas demais: são no máximo 10.000.' },
    'import.atomic.too-long': { status: 400, message: 'O CSV tem linhas demais: com atomic=true são no máximo 500.' },
    'import.atomic.too-wide': {
      status: 400,
      message: 'As linhas do CSV apontam para registros diferentes demais para serem cadastradas de uma só vez.',
    },
  },
  issues: {
    'reference.document': 'Deve ser o identificador, o CPF ou o CNPJ de um cliente.',
    'reference.unknown': 'Não há um cliente da imobiliária com este CPF ou CNPJ.',
  },
} satisfies Part
