#pragma once
// Meshes as files of every format, for the tests of the readers. Text has all digits of a double.

#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include "touchstone/geometry/mesh_file.h"

namespace touchstone {

inline std::string digits(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

inline std::string digits(const Vec<3>& x) { return digits(x[0]) + " " + digits(x[1]) + " " + digits(x[2]); }

inline std::string indices(const std::vector<int>& loop, int base) {
  std::string text;
  for (int v : loop) text.append(" ").append(std::to_string(v + base));
  return text;
}

template <class T>
std::string raw(T value, std::endian order) {
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &value, sizeof(T));
  return order == std::endian::native ? bytes : std::string(bytes.rbegin(), bytes.rend());
}

inline std::string as_obj(const Mesh& mesh) {
  std::string text = "# a mesh\no solid\n";
  for (const Vec<3>& x : mesh.points) text += "v " + digits(x) + "\n";
  text += "vn 0 0 1\nvt 0 0\ns off\n";
  for (const auto& loop : mesh.faces) {
    text += "f";
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const std::string v = std::to_string(loop[i] + 1);
      const std::string forms[] = {v, v + "/1", v + "//1", v + "/1/1",
                                   std::to_string(loop[i] - static_cast<int>(mesh.points.size()))};
      text += " " + forms[i % 5];
    }
    text += "\n";
  }
  return text;
}

inline std::string as_off(const Mesh& mesh) {
  std::string text = "OFF # a mesh\n" + std::to_string(mesh.points.size()) + " " +
                     std::to_string(mesh.faces.size()) + " 0\n";
  for (const Vec<3>& x : mesh.points) text += digits(x) + "\n";
  for (const auto& loop : mesh.faces) text += std::to_string(loop.size()) + indices(loop, 0) + "\n";
  return text;
}

inline std::string as_poly(const Mesh& mesh) {
  std::string text = "# a mesh\n" + std::to_string(mesh.points.size()) + "\n";
  for (std::size_t i = 0; i < mesh.points.size(); ++i) {
    text += std::to_string(i + 1) + " [" + digits(mesh.points[i]) + "]; % vertex\n";
  }
  text += "\n// faces\n" + std::to_string(mesh.faces.size()) + "\n";
  for (const auto& loop : mesh.faces) text += indices(loop, 1) + "\n";
  return text;
}

inline std::string as_text_stl(const Mesh& mesh) {
  std::string text = "solid a mesh\n";
  for (const auto& loop : mesh.faces) {
    text += " facet normal 0 0 0\n  outer loop\n";
    for (int v : loop) text += "   vertex " + digits(mesh.points[v]) + "\n";
    text += "  endloop\n endfacet\n";
  }
  return text + "endsolid a mesh\n";
}

/// `head` fills the 80 bytes in front.
inline std::string as_binary_stl(const Mesh& mesh, const std::string& head = "binary") {
  std::string bytes = head;
  bytes.resize(80, ' ');
  bytes += raw(static_cast<std::uint32_t>(mesh.faces.size()), std::endian::little);
  for (const auto& loop : mesh.faces) {
    bytes += std::string(12, '\0');
    for (int v : loop) {
      for (double c : mesh.points[v]) bytes += raw(static_cast<float>(c), std::endian::little);
    }
    bytes += std::string(2, '\0');
  }
  return bytes;
}

inline std::string as_text_ply(const Mesh& mesh) {
  std::string text =
      "ply\nformat ascii 1.0\ncomment a mesh\nelement vertex " + std::to_string(mesh.points.size()) +
      "\nproperty double x\nproperty double y\nproperty double z\nproperty uchar red\nelement face " +
      std::to_string(mesh.faces.size()) +
      "\nproperty float quality\nproperty list uchar int vertex_indices\nend_header\n";
  for (const Vec<3>& x : mesh.points) text += digits(x) + " 255\n";
  for (const auto& loop : mesh.faces) text += "0.5 " + std::to_string(loop.size()) + indices(loop, 0) + "\n";
  return text;
}

/// With elements and properties of every type around the vertices and faces.
inline std::string as_binary_ply(const Mesh& mesh, std::endian order) {
  const bool little = order == std::endian::little;
  std::string bytes =
      std::string("ply\nformat ") + (little ? "binary_little_endian" : "binary_big_endian") +
      " 1.0\nelement light 2\nproperty int8 a\nproperty list uint16 float32 b\nelement vertex " +
      std::to_string(mesh.points.size()) +
      "\nproperty short u\nproperty double x\nproperty float64 y\nproperty uint v\nproperty double z\n"
      "element face " +
      std::to_string(mesh.faces.size()) +
      "\nproperty list ushort uint32 vertex_index\nproperty list uchar char flags\n"
      "element edge 1\nproperty int vertex1\nend_header\n";
  for (int i = 0; i < 2; ++i) {
    bytes += raw<std::int8_t>(-1, order) + raw<std::uint16_t>(2, order) + raw(0.5f, order) + raw(1.5f, order);
  }
  for (const Vec<3>& x : mesh.points) {
    bytes += raw<std::int16_t>(-7, order) + raw(x[0], order) + raw(x[1], order) +
             raw<std::uint32_t>(9, order) + raw(x[2], order);
  }
  for (const auto& loop : mesh.faces) {
    bytes += raw(static_cast<std::uint16_t>(loop.size()), order);
    for (int v : loop) bytes += raw(static_cast<std::uint32_t>(v), order);
    bytes += raw<std::uint8_t>(3, order) + "abc";
  }
  return bytes + raw<std::int32_t>(0, order);
}

/// The solid that a file holds.
inline Polytope<3> solid_of(const std::string& bytes, MeshFormat format) {
  const Mesh mesh = read_mesh(bytes, format, "file");
  return Polytope<3>::from_faces(mesh.points, mesh.faces);
}

}  // namespace touchstone
