import { afterAll, vi } from 'vitest';

// Parts of the page load others when they are mounted. A file of tests that ended meanwhile would fail for it.
afterAll(() => vi.dynamicImportSettled());
