import type { Part } from './codes.ts'

const TAX_ID_TAKEN = 'Já existe um condomínio com este CNPJ.'

/** What is told of condominiums. Source: 03-real-estate.md, Condominiums; decisions.md §6 and §10. */
export const condominiumMessages = {
  failures: {
    'condominium.unknown': { status: 404, message: 'Condomínio não encontrado.' },
    'condominium.taxId.taken': { status: 409, message: TAX_ID_TAKEN },
    'condominium.in-use': {
      status: 400,
      message: 'O condomínio não pode ser excluído: há imóveis que são suas unidades.',
    },
    'condominium.not-leased': { status: 422, message: 'Nenhuma unidade do condomínio tem locação ativa.' },
    'condominium.share-too-small': {
      status: 422,
      message: 'O valor é pequeno demais: caberia a uma unidade menos de um centavo.',
    },
    'condominium.too-many-units': {
      status: 422,
      message: 'O condomínio tem unidades locadas demais para um só rateio: são no máximo 490.',
    },
  },
  issues: { 'condominium.taxId.taken': TAX_ID_TAKEN },
} satisfies Part
