"""Trains the weights of the learned evaluation with PyTorch, on a GPU if there is one: as `learn train` does, in less time.

    python3 train.py WEIGHTS POSITIONS [EPOCHS [BLEND]]

POSITIONS is what `learn export` writes. BLEND is the part of the result in what is learned; the rest is the value that the
search saw.
"""

import struct
import sys

import numpy as np
import torch

ROWS, WIDTH, HIDDEN = 619, 32, 16
ONE = 64
MOST = 16 - 1 / ONE  # the greatest number that leaves a neuron
BYTE = 127 / ONE  # weights of one byte are within ± this
BATCH, RATE, DECAY = 4096, 4e-3, 0.05


class Network(torch.nn.Module):
    """The module `network` of the crate `players` documents it."""

    def __init__(self):
        super().__init__()
        around_zero = lambda *shape, width: torch.nn.Parameter((torch.rand(*shape) - 0.5) * width)
        quarters = lambda count: torch.nn.Parameter(torch.full((count,), 0.25))
        self.rows, self.bias = around_zero(ROWS, WIDTH, width=0.1), quarters(WIDTH)
        self.hidden, self.hidden_bias = around_zero(HIDDEN, WIDTH, width=0.6), quarters(HIDDEN)
        self.output, self.output_bias = around_zero(HIDDEN, width=0.6), torch.nn.Parameter(torch.zeros(1))

    def forward(self, counts):
        seen = (counts.float() @ self.rows + self.bias).clamp(0, MOST)
        return (seen @ self.hidden.T + self.hidden_bias).clamp(0, MOST) @ self.output + self.output_bias

    def clip(self):
        with torch.no_grad():
            self.rows.clamp_(-BYTE, BYTE)
            self.hidden.clamp_(-BYTE, BYTE)

    def file(self):
        """The file of weights."""

        def numbers(weights, one, kind):
            return np.rint(weights.detach().cpu().double().numpy() * one).astype(kind).tobytes()

        content = b"ALNW" + bytes([1, 5, 6, WIDTH, HIDDEN])
        content += numbers(self.rows, ONE, "i1") + numbers(self.bias, ONE, "<i2")
        content += numbers(self.hidden, ONE, "i1") + numbers(self.hidden_bias, ONE * ONE, "<i4")
        content += numbers(self.output, ONE, "<i2") + numbers(self.output_bias, ONE * ONE, "<i4")
        checksum = 0x811C9DC5
        for byte in content:
            checksum = ((checksum ^ byte) * 0x01000193) & 0xFFFFFFFF
        return content + struct.pack("<I", checksum)


def report(name, odds, results):
    """Prints the loss (of predicting results) and the share of results that are predicted rightly."""
    loss = torch.nn.functional.binary_cross_entropy_with_logits(odds, results)
    decided = results != 0.5
    right = ((odds > 0) == (results > 0.5))[decided].float().mean()
    print(f"{name}: loss {loss:.4f}, {100 * right:.1f} % right", flush=True)


def main(path, positions, epochs="16", blend="0.1"):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    epochs, blend = int(epochs), float(blend)
    record = np.dtype([("counts", "u1", ROWS), ("numbers", "<f4", 3)])
    data = np.fromfile(positions, record)
    counts, numbers = (torch.from_numpy(data[part].copy()).to(device) for part in ("counts", "numbers"))
    kept = numbers[:, 2] > 0
    learned = torch.nonzero(~kept).flatten()
    print(f"{len(data)} positions")
    results = numbers[kept, 0]
    report("the search", torch.logit(numbers[kept, 1].clamp(0.001, 0.999)), results)

    torch.manual_seed(1)
    network = Network().to(device)
    optimiser = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=DECAY)
    steps, step = epochs * -(-len(learned) // BATCH), 0
    for epoch in range(1, epochs + 1):
        for batch in learned[torch.randperm(len(learned), device=device)].split(BATCH):
            optimiser.param_groups[0]["lr"] = RATE * (1 - step / steps)
            step += 1
            target = blend * numbers[batch, 0] + (1 - blend) * numbers[batch, 1]
            loss = torch.nn.functional.binary_cross_entropy_with_logits(network(counts[batch]), target)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            network.clip()
        with torch.no_grad():
            report(f"epoch {epoch}", torch.cat([network(part) for part in counts[kept].split(1 << 16)]), results)
    with open(path, "wb") as file:
        file.write(network.file())


if __name__ == "__main__":
    if not 3 <= len(sys.argv) <= 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
