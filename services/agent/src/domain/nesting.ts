/** Whether there are more levels of objects and lists than that; looks no deeper. */
export const nestedDeeper = (value: unknown, levels: number): boolean =>
  value !== null &&
  typeof value === 'object' &&
  (levels === 0 || Object.values(value).some((inner) => nestedDeeper(inner, levels - 1)));
