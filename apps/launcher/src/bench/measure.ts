/** One figure of a run. `against` is what it is held against: a limit of the design, or another figure of the same run. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: 'ms' | 's' | 'MB' | 'ratio' | '1/s' | 'tokens' | '';
  readonly against?: { readonly name: string; readonly value: number };
}

/** The value below which `share` of all lie, e.g. 0.99. */
export const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
};

export const rounded = (value: number): number => Math.round(value * 100) / 100;
