# SPDX-License-Identifier: MIT
"""A training of nothing much: samples that workers of a DataLoader read, and checkpoints."""
import os
import numpy
import torch
from torch.utils.data import DataLoader, Dataset

torch.set_num_threads(1)
os.makedirs("samples")
for i in range(48):
    with open(f"samples/{i}.bin", "wb") as file:
        file.write(bytes([i]) * (1000 + 100 * i))
numpy.save("labels.npy", numpy.arange(48))


class Samples(Dataset):
    def __init__(self):
        self.labels = numpy.load("labels.npy")

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        with open(f"samples/{index}.bin", "rb") as file:
            data = numpy.frombuffer(file.read()[:1000], dtype=numpy.uint8)
        return torch.from_numpy(data.astype(numpy.float32)), int(self.labels[index])


model = torch.nn.Linear(1000, 4)
for epoch in range(2):
    for batch, labels in DataLoader(Samples(), batch_size=8, num_workers=2, shuffle=False):
        model(batch).sum().backward()
    torch.save(model.state_dict(), f"checkpoint{epoch}.pt")
print(len(torch.load("checkpoint1.pt")))
